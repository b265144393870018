package import GatebookEvents

extension BookReader {
  /// Whether an account's refresh token was to be sent by a process that is gone, and nobody has
  /// recorded that yet: its answer is lost.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - state: Its state as it was read.
  /// - Returns: Whether it is so; `false` where the lock cannot be seen.
  /// - Throws: `storage` failures.
  package func hasOrphanedRenewal(
    _ account: AccountID, _ state: AccountState
  ) throws(GatebookError) -> Bool {
    guard let intent = state.intent, intent.isOfToken, state.state.isUsable,
      state.state != .uncertain, try isLocked(account) == false
    else { return false }
    // Its end may have been recorded since that state was read.
    return try self.state(of: account)?.intent?.position == intent.position
  }
}
