extension SessionBook {
  /// Whether renewals are under way, or wait for one of another process.
  package var isRenewing: Bool { !renewals.isEmpty }

  /// Waits for the renewals under way: a program that ends must not leave one unanswered.
  ///
  /// Those that wait for another process have sent nothing, and end.
  package func settleRenewals() async {
    stopRenewals()
    while let task = renewals.values.first { _ = await task.value }
  }

  /// Lets no renewal begin any more, and those not that wait for another process.
  ///
  /// - Returns: The accounts whose renewals may have sent something.
  @discardableResult
  package func stopRenewals() -> Set<AccountID> {
    isClosing = true
    return renewing
  }
}
