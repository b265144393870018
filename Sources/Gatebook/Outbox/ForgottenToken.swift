/// A saved refresh token that is removed now: its server should revoke it, because nobody will use
/// it (RFC 7009).
struct ForgottenToken {
  let account: AccountID
  let session: SessionID
  /// The account's revision by which it is forgotten.
  let revision: Int64
  let item: OutboxItem

  /// Keeps it in the outbox until the server has heard.
  ///
  /// - Parameters:
  ///   - cause: The event that tells that it is forgotten.
  ///   - events: Take the event that says so.
  ///   - vault: Takes the token.
  func queue(
    after cause: ProposedEvent.Cause, _ events: inout [ProposedEvent],
    _ vault: inout [Append.VaultChange]
  ) {
    let key = "\(session)-saved-\(revision)"
    var queued = RevocationQueued(outbox: key)
    queued.reason = "forgotten"
    events.append(ProposedEvent(queued, account: account, session: session, cause: cause))
    vault.append(item.kept(as: key, generation: 1, of: account))
  }
}
