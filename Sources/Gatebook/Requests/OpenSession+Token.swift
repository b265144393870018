extension OpenSession {
  /// The session's token with its end.
  func bearer(at now: Moment) -> BearerToken? {
    var token = stored.proof.bearer(since: renewed(at: now))
    token?.isRecorded = context.isRecorded
    return token
  }

  func lives(for duration: Duration, at now: Moment) -> Bool {
    guard let end = bearer(at: now)?.expiresAt else { return true }
    return end - now.wall > duration
  }
}
