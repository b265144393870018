extension AccountState.Deferral {
  /// Whether nothing is sent automatically now.
  ///
  /// - Parameters:
  ///   - now: Now.
  ///   - isUrgent: Whether a caller waits for it. Then two waits for a token count: one that the
  ///     server demanded, and one after so many refusals that it is longer than any for a server in
  ///     trouble.
  ///   - sendsPassword: Whether a person's password would be sent: then each wait counts.
  /// - Returns: Whether the wait lasts; for a password also whether no time helps.
  func holdsBack(at now: Moment, isUrgent: Bool, sendsPassword: Bool) -> Bool {
    // What an older version recorded so of a refresh token is tried again.
    if isHalted, sendsPassword { return true }
    // A wall clock that was set back must not keep a session from being renewed.
    guard let until, now.wall < until, now.wall >= at else { return false }
    return !isUrgent || isDemanded || sendsPassword || until - at > BackOff.longest(random: .max)
  }
}
