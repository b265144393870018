/// A message for a server about a session that has ended here: its secrets, kept encrypted until
/// the server has received it.
///
/// Requests are built for each delivery: proofs and signatures are good once.
struct OutboxItem {
  var stored: StoredSession
  let jar: CookieJar

  /// The item's place in the vault.
  static func purpose(_ key: String) -> String { "outbox-\(key)" }

  /// Names the secrets of one generation of a session.
  static func key(_ session: SessionID, _ generation: Int64) -> String {
    "\(session)-\(generation)"
  }
}

extension OutboxItem: StoredRecord {
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    jar = try facts.required("cookies", kept?.jar)
    stored = try facts.required("session", kept?.stored)
  }
}

extension Append {
  /// Leaves something to be told to a server, with the last event: secrets and event are on disk
  /// together, or not at all.
  mutating func leave(
    _ item: OutboxItem, generation: Int64, of account: AccountID, _ session: SessionID
  ) {
    let key = OutboxItem.key(session, generation)
    let last = events.count - 1
    events[last].change(LoginFailed.self) { $0.outbox = key }
    events[last].change(LoginCancelled.self) { $0.outbox = key }
    events[last].change(RefreshDiscarded.self) { $0.outbox = key }
    events[last].change(SessionEnded.self) { $0.outbox = key }
    queue(item, as: key, generation: generation, of: account, session)
  }

  /// Queues a message for a server about a session that continues, with the append's first event.
  ///
  /// - Parameters:
  ///   - item: What is to end there.
  ///   - session: The session.
  ///   - renewal: The one that brought it: another may bring more before the server has heard.
  mutating func leave(_ item: OutboxItem, of session: OpenSession, by renewal: Position) {
    let generation = session.state.generation + 1
    queue(
      item, as: "\(OutboxItem.key(session.session, generation))-\(renewal.rawValue)",
      generation: generation, of: session.context.account, session.session, because: "late",
      cause: .proposed(0))
  }

  /// Queues a message for a server, with the event that says so.
  ///
  /// - Parameters:
  ///   - item: What is to end there; kept in the vault until the server has heard.
  ///   - key: Its place in the vault.
  ///   - generation: The generation of its secrets.
  ///   - account: Whose key encrypts it.
  ///   - session: The session or login.
  ///   - reason: Why Gatebook tells the server; `nil` for the session's end.
  ///   - cause: What led to it; `nil`: the append's last event.
  mutating func queue(
    _ item: OutboxItem, as key: String, generation: Int64 = 1, of account: AccountID,
    _ session: SessionID, because reason: String? = nil, cause: ProposedEvent.Cause? = nil
  ) {
    var queued = RevocationQueued(outbox: key)
    queued.reason = reason
    events.append(
      ProposedEvent(
        queued, account: account, session: session,
        cause: cause ?? .proposed(events.count - 1)))
    vault.append(item.kept(as: key, generation: generation, of: account))
  }
}

extension OutboxItem {
  /// What keeps it in the vault until the server has heard.
  func kept(
    as key: String, generation: Int64, of account: AccountID
  ) -> Append.VaultChange {
    .set(account, purpose: Self.purpose(key), generation: generation, content: encoded)
  }
}
