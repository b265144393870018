/// The last login with what was saved, as long as none has succeeded or anything else was saved.
package struct SavedUse: Hashable, Sendable {
  /// The last event of it.
  package var position: Position
  /// Which login that is.
  package var session: SessionID?
  /// Tells apart what is good for one use; `nil` for what can be used again, such as a password.
  package var fingerprint: String?
  /// Which use of it that is, from 1; 0 for what can be used again.
  package var attempt: Int64
  /// Whether its end is not known.
  package var isOpen = true
  /// How often it was sent without an answer: it may be spent.
  package var unanswered: Int64
  /// Whether none is made unless somebody asks.
  package var isHalted = false

  /// Whether what was saved counts as spent: it was sent twice without an answer, or refused after
  /// the first one was lost.
  package var isUsedUp: Bool { unanswered >= Self.maximumUses || (isHalted && unanswered > 0) }

  /// How often what is good for one use, such as a refresh token, is sent without being asked for
  /// when its first answer was lost.
  package static let maximumUses: Int64 = 2
}

extension SavedUse {
  /// The use that a `credentials.loaded` tells of.
  ///
  /// - Parameters:
  ///   - loaded: What it says.
  ///   - entry: The event.
  ///   - former: The use before it.
  init(_ loaded: CredentialsLoaded, _ entry: LogEntry, after former: SavedUse?) {
    position = entry.position
    session = entry.session
    fingerprint = loaded.fingerprint
    attempt = loaded.attempt ?? 0
    unanswered = attempt > 0 ? attempt - 1 : 0
    // Who asks may try what was refused; that alone makes it no better.
    isHalted = former?.fingerprint == fingerprint && former?.isHalted == true
  }

  /// The use that the end of a session tells of: its token was saved too, and sent without an
  /// answer.
  ///
  /// - Parameters:
  ///   - fingerprint: The token's.
  ///   - attempt: How often it was sent.
  ///   - entry: The event.
  ///   - former: The use before it.
  init(
    of fingerprint: String, _ attempt: Int64, in entry: LogEntry, after former: SavedUse?
  ) {
    position = entry.position
    session = entry.session
    self.fingerprint = fingerprint
    let same = former?.fingerprint == fingerprint ? former : nil
    self.attempt = max(attempt, same?.attempt ?? 0)
    unanswered = max(attempt, same?.unanswered ?? 0)
    isOpen = false
    isHalted = same?.isHalted == true
  }

  /// What a session's end says of what was saved: it is the same that the server has refused.
  init(refusedBy entry: LogEntry) {
    position = entry.position
    session = entry.session
    attempt = 0
    isOpen = false
    unanswered = 0
    isHalted = true
  }

  /// Takes the event that tells how it failed.
  mutating func fail(_ failed: LoginFailed, _ entry: LogEntry) {
    position = entry.position
    isOpen = false
    if failed.isSaved {
      // What came instead was never sent.
      fingerprint = failed.fingerprint
      attempt = 0
      unanswered = 0
      isHalted = false
      return
    }
    if failed.isUnanswered { unanswered = attempt }
    if failed.isHalted { isHalted = true }
  }
}

extension SavedUse: FactsRecord {
  package static let blank = SavedUse(position: .start, attempt: 0, unanswered: 0)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("attempt", &attempt)
    row.code("fingerprint", &fingerprint)
    row.code("halted", &isHalted)
    row.code("open", &isOpen)
    row.code("position", &position)
    row.code("session", &session)
    row.code("unanswered", &unanswered)
  }
}
