extension OpenSession {
  /// How long ago the server gave its word for the session; `nil` where that has no limit.
  private func unconfirmed(at now: Moment) -> (length: Duration, limit: Duration)? {
    guard let span = state.offline else { return nil }
    let length = span.length(
      at: now.wall, boot: now.boot.microseconds, bootID: now.bootID)
    return (length, .microseconds(span.limit))
  }

  /// Whether the session must be confirmed before it is used again.
  func isOfflineTooLong(at now: Moment) -> Bool {
    state.offline?.isOver(at: now) ?? false
  }

  /// Whether the server is asked before the next request: the session was resumed, or half of its
  /// offline limit is over.
  ///
  /// A session in daily use so never runs into its limit.
  func needsConfirmation(at now: Moment) -> Bool {
    if case .offline = context.state { return true }
    guard let (length, limit) = unconfirmed(at: now) else { return false }
    return length > limit / 2
  }
}
