extension SessionBook {
  /// Synchronizes with the servers when the network is back: delivers waiting messages, and
  /// verifies sessions that were resumed offline or whose renewal was lost.
  ///
  /// Waiting messages are tried now. Only if a server asked to wait (`Retry-After`), they wait on,
  /// for a day at most: see ``SyncReport/demandedUntil``.
  ///
  /// - Parameter account: Only this account; `nil` for all.
  /// - Returns: The result; a failure of one account does not affect the others.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  public func sync(_ account: AccountID? = nil) async throws(GatebookError) -> SyncReport {
    try await synchronizer.sync(account)
  }
}
