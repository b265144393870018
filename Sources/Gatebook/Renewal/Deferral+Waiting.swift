extension AccountState.Deferral {
  /// Whether nothing is sent by itself now.
  ///
  /// - Parameters:
  ///   - now: Now.
  ///   - isUrgent: Whether somebody waits for it: then of the waits for a token only one that the server
  ///     named counts.
  ///   - sendsPassword: Whether a person's password would be sent: then each wait counts.
  /// - Returns: Whether the wait lasts, or no time helps.
  func holdsBack(at now: Moment, isUrgent: Bool, sendsPassword: Bool) -> Bool {
    if isHalted { return true }
    // A wall clock that was set back must not keep a session from being renewed.
    guard let until, now.wall < until, now.wall >= at else { return false }
    return !isUrgent || isDemanded || sendsPassword
  }
}
