extension Outbox {
  /// Ends a session, and has its server told of what nobody will use now.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - reason: Why.
  ///   - cause: The event that led to it; `nil`: the account's last.
  ///   - error: The failure that decided.
  ///   - left: What is to be ended at the server; `nil` for nothing.
  /// - Returns: As ``Ledger/end(_:reason:cause:error:leaving:)``.
  /// - Throws: Storage failures.
  func end(
    _ context: SessionContext, reason: EndReason, cause: Position?, error: GatebookError? = nil,
    leaving left: OutboxItem?
  ) async throws(GatebookError) -> Bool {
    let isEnded = try await ledger.end(
      context, reason: reason, cause: cause, error: error, leaving: left)
    if isEnded, left != nil { keepDelivering() }
    return isEnded
  }
}
