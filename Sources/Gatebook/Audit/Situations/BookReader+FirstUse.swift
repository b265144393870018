extension BookReader {
  /// More uses of one token than that nobody counts.
  private static let mostUses = 64
  /// A session ends with one refusal; a strange book may have any number.
  private static let mostRefusals = 8

  /// What is said of refusals of refresh tokens that this book had never used up before.
  ///
  /// Such a token was spent by somebody else, or the server has revoked or forgotten it: that is
  /// all that can be said from here.
  ///
  /// - Parameter events: What led to a state, the beginnings of renewals among it.
  /// - Returns: Sentences by the positions of the refusals.
  /// - Throws: Storage failures.
  func firstUseRemarks(
    _ events: [RecordedEvent]
  ) throws(GatebookError) -> [Position: Sentence] {
    var remarks: [Position: Sentence] = [:]
    let refusals = events.filter { $0.isKind(.refreshFailed) && $0.failure.code == .tokenRefused }
    for refusal in refusals.suffix(Self.mostRefusals) {
      guard let start = events.first(where: { $0.position == refusal.cause }),
        start.isKind(.refreshStarted), !events.contains(where: { $0.hasRevoked(before: refusal) }),
        try knowsUses(before: start, events)
      else { continue }
      remarks[refusal.position] =
        switch try formerUse(start) {
        case .none: " This book had not sent it before: " + Self.elsewhere + "."
        case .unread(let status):
          " This book had sent it before and could not read the answer (\(Int64(status))), so it may be "
            + "used up."
        case .served:
          " It had renewed the session before. The server may have revoked or lost it later. It may "
            + "also have expired, or be valid for one use although the server sent no new one."
        case .turnedAway(let status):
          " This book had sent it before; the server answered \(status) and granted nothing. If the server did not "
            + "count that as a use, " + Self.elsewhere + "."
        case .taken: nil
        }
    }
    return remarks
  }

  private static let elsewhere: Sentence =
    "it may have been used elsewhere, for example by a copy of the book, or it was revoked or has expired"

  /// Whether each use of a token is in the log: what is archived or lost tells of none.
  private func knowsUses(
    before start: RecordedEvent, _ events: [RecordedEvent]
  ) throws(GatebookError) -> Bool {
    guard start.use?.attempt ?? 1 <= 1 else { return false }
    guard let floor = try continuation()?.floor else { return true }
    return events.contains {
      $0.position > floor && $0.position < start.position && CauseChain.isBaseline($0)
    }
  }

  /// How a token had been used before.
  private enum FormerUse: Equatable {
    /// Never.
    case none
    /// The server had answered with that status, and gave nothing for it.
    case turnedAway(Int64)
    /// The server had answered with that status, and the answer could not be read.
    case unread(Int64)
    /// The session was renewed with it, and it is the same afterwards.
    case served
    /// The server may have taken it.
    case taken
  }

  private func formerUse(_ start: RecordedEvent) throws(GatebookError) -> FormerUse {
    guard let account = start.account, let sent = start.use?.fingerprint else { return .taken }
    var former = FormerUse.none
    for kind in [EventKind.refreshStarted, .credentialsLoaded] {
      let uses = try last(kind, atMost: Self.mostUses, of: account)
      // What lies further back is not looked for, and nothing is said of it.
      guard let oldest = uses.first else { continue }
      guard oldest.position < start.position || uses.count < Self.mostUses else { return .taken }
      for use in uses where use.position < start.position && use.use?.fingerprint == sent {
        switch try outcome(use) {
        case .none: break
        case .taken: return .taken
        // What gave nothing says less than a use before it.
        case .turnedAway where former != .none: break
        case let other: former = other
        }
      }
    }
    return former
  }

  /// The outcome of a use: a renewal may never have been sent, because its server was not reached.
  private func outcome(_ use: RecordedEvent) throws(GatebookError) -> FormerUse {
    guard use.isKind(.refreshStarted) else { return .taken }
    let filter = EventFilter(
      account: use.account, kind: "refresh.", after: use.position, limit: 1)
    guard let end = try events(filter).first, end.cause == use.position else { return .taken }
    if end.isKind(.refreshSucceeded) { return .served }
    guard end.isKind(.refreshDeferred) else { return .taken }
    guard let status = end.failure.status else {
      return end.failure.code == .networkUnreachable ? .none : .taken
    }
    return status >= 400 ? .turnedAway(status) : .unread(status)
  }
}

extension RecordedEvent {
  /// Whether it tells that this book itself had the server end what a refusal is about.
  fileprivate func hasRevoked(before refusal: RecordedEvent) -> Bool {
    guard position < refusal.position else { return false }
    return isKind(.revocationSucceeded)
      || facts(of: LogoutCompleted.self)?.server == "done"
  }

  /// Which use of a credential it is that was about to be sent; `nil` for an event that tells of
  /// none.
  fileprivate var use: (attempt: Int64, fingerprint: String?)? {
    if let started = facts(of: RefreshStarted.self) {
      return (started.attempt, started.fingerprint)
    }
    return facts(of: CredentialsLoaded.self).map { ($0.attempt ?? 1, $0.fingerprint) }
  }
}
