extension AccountState {
  /// How old the session's secrets are; `nil` before the first login.
  package func age(at now: Moment) -> Duration? {
    renewed?.age(at: now, offset: offset)
  }

  /// Whether the session's end is known and nothing but a login makes it live on: no refresh token,
  /// no kept password, no saved credentials.
  package var endsByItself: Bool {
    state.isUsable && expires != nil && !isRenewable && !savedCredentials
  }

  /// Whether the session's known life is over, and nothing but a login makes it live on.
  ///
  /// The log does not say so yet: the next writer records it.
  package func hasExpired(at now: Moment) -> Bool {
    guard endsByItself, let expires, let renewed, let age = age(at: now) else { return false }
    return age >= expires - renewed.wall
  }
}
