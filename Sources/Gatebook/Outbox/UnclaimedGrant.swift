/// What a server granted to a login that has failed: nobody will use it, and it is taken back there
/// (RFC 7009).
///
/// A login of a known account keeps it encrypted with that account until the server has received
/// it. A login of an unknown user has no such place: its message is sent at once, and once.
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
    // The end of the login is recorded for its required account.
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

  /// Keeps it with an event of its own, in the history of the account whose key encrypts it.
  private func keep(of account: AccountID, cause: ProposedEvent.Cause, in append: inout Append) {
    append.queue(
      item, as: OutboxItem.key(attempt.session, 1), of: account, attempt.session, because: "late",
      cause: cause)
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
