extension BookReader {
  /// Why the server ended a session, by what led to its end and by what the session was used with.
  ///
  /// - Parameters:
  ///   - end: The end of the session.
  ///   - events: What led to it.
  ///   - method: The login method of the session.
  /// - Returns: The second half of "The session ended: ...", with what the server said; `nil` where
  ///   the recorded reason says it all.
  /// - Throws: Storage failures.
  func endCause(
    of end: RecordedEvent, among events: [RecordedEvent], method: String
  ) throws(GatebookError) -> Sentence? {
    guard let reason = end.endReason else { return nil }
    if let cause = events.refusedRenewal(reason, end) { return cause }
    guard reason == .refused || reason == .refusedWithoutReason, end.isKind(.sessionEnded) else {
      return nil
    }
    switch SessionKey(method: method) {
    case .password: return Self.refusedPassword + "\(end.failure.said)"
    case .token: return Self.refusedToken(end.failure.error) + "\(end.failure.said)"
    case .cookie:
      return try expiredCookie(at: end)
        ?? "the server no longer accepts the session cookie\(end.failure.said)"
    case nil: return nil
    }
  }

  fileprivate static let refusedPassword: Sentence =
    "the server no longer accepts the password: it may have been changed, or the account may be locked or "
    + "deleted there"

  private static func refusedToken(_ error: String?) -> Sentence {
    switch error {
    case "token_expired": "the server no longer accepts the access token: it has expired"
    case "token_revoked": "the server no longer accepts the access token: it was revoked"
    default: "the server no longer accepts the access token: it was revoked or has expired"
    }
  }

  /// That the cookies of a session had run out before it was refused; `nil` where one of them lived
  /// on.
  private func expiredCookie(at end: RecordedEvent) throws(GatebookError) -> Sentence? {
    let changes = try last(.cookiesChanged, of: end.account, in: end.session, upTo: end.position)
    guard let last = changes.last else { return nil }
    let cookies = last.facts(of: CookiesChanged.self)?.cookies?.list ?? []
    let ends = cookies.map { $0.object?["expires"]?.integer }
    let known = ends.compactMap(\.self)
    guard let latest = known.max(), known.count == ends.count, latest <= end.at.rawValue else {
      return nil
    }
    let expiry = Timestamp(rawValue: latest)
    return
      "its session cookie expired at \(expiry), after \((expiry - last.at).words) without use"
  }
}

extension [RecordedEvent] {
  /// That the server refused what renews the session, where that has ended it, or its access token
  /// is over since.
  ///
  /// - Parameters:
  ///   - reason: Why the session ended, by its state.
  ///   - end: The event that tells of the end; `nil` where it is not recorded.
  /// - Returns: The second half of "The session ended: ..."; `nil` where it ended for another
  ///   reason.
  func refusedRenewal(_ reason: EndReason, _ end: RecordedEvent?) -> Sentence? {
    guard reason == .refused || reason == .refusedWithoutReason else { return nil }
    let renewal = last { event in
      guard let failed = event.facts(of: RefreshFailed.self) else { return false }
      guard let end else { return failed.hasReason }
      return event.position == end.cause || !end.isKind(.sessionEnded) && failed.hasReason
    }
    guard let renewal else { return nil }
    switch renewal.failure.code {
    case .tokenRefused?:
      return "the server rejected the refresh token"
        + (reason == .refusedWithoutReason ? " and gave no reason" : "") + "\(renewal.failure.said)"
    case .credentialsRefused?: return BookReader.refusedPassword + "\(renewal.failure.said)"
    default: return nil
    }
  }

  /// Whether the server has refused both what the session was used or renewed with, and the saved
  /// password.
  var areBothRefused: Bool {
    let silent = Set(filter { $0.isKind(.loginStarted) && $0.isSilent }.compactMap(\.session))
    let isPasswordRefused = contains { event in
      event.isKind(.loginFailed) && event.session.map(silent.contains) == true
        && event.failure.code == .credentialsRefused
    }
    return isPasswordRefused
      && contains { $0.isKind(.refreshFailed) && $0.failure.code == .tokenRefused }
  }
}
