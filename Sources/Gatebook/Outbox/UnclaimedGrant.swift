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
    var queued = RevocationQueued(outbox: key)
    queued.reason = "late"
    append.events.append(
      ProposedEvent(queued, account: account, session: attempt.session, cause: cause))
    append.vault.append(item.kept(as: key, generation: 1, of: account))
  }

  /// What came of telling the server at once.
  func told(_ ending: DeliveryEnding, cause: Position) -> ProposedEvent {
    var event: ProposedEvent
    switch ending {
    case .done(let status):
      event = attempt.event(RevocationSucceeded(status: Int64(status), tries: 1))
    case .failed:
      var failed = RevocationFailed()
      failed.failure = ending.failure
      failed.isHalted = true
      failed.tries = 1
      event = attempt.event(failed)
    }
    event.cause = .recorded(cause)
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
    events[last].change(LoginFailed.self) { $0.outbox = key }
    events[last].change(LoginCancelled.self) { $0.outbox = key }
    events[last].change(RefreshDiscarded.self) { $0.outbox = key }
    events[last].change(SessionEnded.self) { $0.outbox = key }
    events.append(
      ProposedEvent(
        RevocationQueued(outbox: key), account: account, session: session,
        cause: .proposed(last)))
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
    var queued = RevocationQueued(outbox: key)
    queued.reason = "late"
    events.append(session.event(queued, cause: .proposed(0)))
    vault.append(item.kept(as: key, generation: generation, of: session.context.account))
  }
}
