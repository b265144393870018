/// What a server granted to a login that has failed: nobody will use it, and it is taken back there
/// (RFC 7009).
///
/// A login of a known account keeps it sealed with that account until the server has heard. One of
/// nobody whom the book knows has no such place: it is told at once, and once.
struct UnclaimedGrant: Sendable {
  let attempt: LoginAttempt
  let item: OutboxItem
  /// The login's own, with what was accepted and given on the way.
  let conversation: Conversation

  /// Keeps it in the outbox with the append's last event, which tells of the failure.
  ///
  /// Nothing is kept for an attempt without an account.
  func queue(in append: inout Append) {
    guard let account = attempt.account else { return }
    guard attempt.stream != account else {
      return append.leave(item, generation: 1, of: account, attempt.session)
    }
    // How the login ended is told of the account that it had to be of.
    keep(of: account, cause: .proposed(append.events.count - 1), in: &append)
  }

  /// Keeps it in the outbox where somebody else has recorded the end of the login before.
  var late: Append? {
    attempt.account.map { account in
      var append = Append([])
      keep(of: account, cause: .recorded(attempt.started), in: &append)
      return append
    }
  }

  /// Keeps it by an event of its own, in the history of the account whose key seals it.
  private func keep(
    of account: AccountID, cause: ProposedEvent.Cause, in append: inout Append
  ) {
    let key = OutboxItem.key(attempt.session, 1)
    append.events.append(
      ProposedEvent(
        .revocationQueued, account: account, session: attempt.session, cause: cause,
        data: ["outbox": .text(key), "reason": "late"]))
    append.vault.append(item.kept(as: key, generation: 1, of: account))
  }

  /// What came of telling the server at once.
  func told(_ ending: DeliveryEnding, cause: Position) -> ProposedEvent {
    var event = attempt.event(.revocationSucceeded, data: ending.facts)
    event.cause = .recorded(cause)
    if case .failed = ending {
      event.kind = .revocationFailed
      event.data["halted"] = true
    }
    event.data["tries"] = 1
    return event
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
    events[last].data["outbox"] = .text(key)
    events.append(
      ProposedEvent(
        .revocationQueued, account: account, session: session, cause: .proposed(last),
        data: ["outbox": .text(key)]))
    vault.append(item.kept(as: key, generation: generation, of: account))
  }

  /// Leaves something to be told to a server about a session that goes on, with the append's first event.
  ///
  /// - Parameters:
  ///   - item: What is to end there.
  ///   - session: The session.
  ///   - renewal: The one that brought it: another may bring more before the server has heard.
  mutating func leave(_ item: OutboxItem, of session: OpenSession, by renewal: Position) {
    let generation = session.state.generation + 1
    let key = "\(OutboxItem.key(session.session, generation))-\(renewal.rawValue)"
    events.append(
      session.event(
        .revocationQueued, cause: .proposed(0),
        data: ["outbox": .text(key), "reason": "late"]))
    vault.append(item.kept(as: key, generation: generation, of: session.context.account))
  }
}
