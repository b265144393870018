extension Renewals {
  /// Whether renewals are under way, or wait for one of another process.
  var isRenewing: Bool { !running.isEmpty }

  /// Waits for the renewals under way: a program that ends must not leave one unanswered.
  func settleRenewals() async {
    stopRenewals()
    while let task = running.values.first { _ = await task.value }
  }

  /// Lets no renewal begin any more, and those not that wait for another process.
  @discardableResult
  func stopRenewals() -> Set<AccountID> {
    isClosing = true
    return renewing
  }
}
