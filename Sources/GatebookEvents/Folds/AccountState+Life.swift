extension AccountState {
  /// How old the session's secrets are; `nil` before the first login.
  package func age(at now: Moment) -> Duration? {
    renewed?.age(at: now, offset: offset)
  }

  /// Whether what was saved may log the account in again without being asked: none of it was refused.
  package var logsInAgain: Bool { savedCredentials && savedUse?.isHalted != true }

  /// Whether the session's end is known and nothing but a login that somebody asks for makes it live
  /// on: no refresh token, no kept password, no saved credentials.
  package var endsByItself: Bool {
    state.isUsable && expires != nil && !isRenewable && !logsInAgain
  }

  /// Whether the known life of what the session has is over.
  package func isOver(at now: Moment) -> Bool {
    guard let expires, let renewed, let age = age(at: now) else { return false }
    return age >= expires - renewed.wall
  }

  /// How the session ended: what comes later to its account, such as a logout, changes nothing of that.
  package var end: SessionEnd? {
    formerEnd ?? state.reason.map { SessionEnd(reason: $0, at: since) }
  }

  /// The end of a session that has passed without an event: of its known life.
  package func unrecordedEnd(at now: Moment) -> SessionEnd? {
    guard hasExpired(at: now), let expires else { return nil }
    return SessionEnd(reason: renewalEnd?.reason ?? .expired, at: expires)
  }

  /// Whether the session went without the server's word for longer than its login allows.
  ///
  /// It has not ended for that: the next use asks the server, and ends it only without its word.
  package func isPastOfflineLimit(at now: Moment) -> Bool {
    state.isUsable && offline?.isOver(at: now) == true
  }

  /// Whether the state changes with the time alone.
  var endsWithTime: Bool {
    (state.isUsable && offline != nil) || endsByItself
  }

  /// Whether the session's known life is over, and nothing but a login makes it live on.
  ///
  /// The log does not say so yet: the next writer records it.
  package func hasExpired(at now: Moment) -> Bool { endsByItself && isOver(at: now) }
}
