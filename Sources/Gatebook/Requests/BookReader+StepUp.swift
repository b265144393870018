extension BookReader {
  /// The stronger login that a server demanded before it accepts a request; `nil` if none is open.
  ///
  /// - Parameter account: The account.
  /// - Returns: The demand.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func demandedStepUp(of account: AccountID) throws(GatebookError) -> StepUp? {
    try secret(of: account, purpose: Purpose.stepUp)
      .flatMap { Facts(decoding: $0) }.flatMap { StepUp(record: $0) }
  }
}
