extension OpenSession {
  /// How long ago the server gave its word for the session; `nil` where that has no limit.
  private func unconfirmed(at now: Moment) -> (length: Duration, limit: Duration)? {
    guard let span = state.offline else { return nil }
    let length = span.length(
      at: now.wall, boot: now.boot.microseconds, bootID: now.bootID)
    return (length, .microseconds(span.limit))
  }

  /// Whether the session may not be used any more without the server's word.
  func isOfflineTooLong(at now: Moment) -> Bool {
    state.offline?.isOver(at: now) ?? false
  }

  /// Whether the server is asked before the next request: the session was resumed, or half of the time
  /// is over that it may go without the server's word.
  ///
  /// A session in daily use so never runs into its limit.
  func needsConfirmation(at now: Moment) -> Bool {
    if case .offline = context.state { return true }
    guard let (length, limit) = unconfirmed(at: now) else { return false }
    return length > limit / 2
  }
}
