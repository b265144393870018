/// The end of a session by its user: in the book at once, then at the server.
struct Logouts {
  let ledger: Ledger
  let grants: Grants
  let outbox: Outbox
  let renewals: Renewals

  /// Removes an account's saved credentials: those that log in again automatically, those that
  /// check its password offline, and those for challenges.
  @discardableResult
  func removeCredentials(of account: AccountID) async throws(GatebookError) -> Bool {
    let isRemoved = try await ledger.retryingOnConflict { () throws(GatebookError) in
      try await removeOnce(account)
    }
    if isRemoved { await outbox.tellServers(ofForgotten: account) }
    return isRemoved
  }

  private func removeOnce(_ account: AccountID) async throws(GatebookError) -> Bool {
    let context = try ledger.context(of: account)
    // A renewal may replace what was saved between our look and our commit.
    let revision = try ledger.reader.state(of: account)?.revision ?? 0
    var append = Append([], precondition: .revision(account, revision))
    for (purposes, name) in [
      ([Purpose.credentials, Purpose.offline], "login"), ([Purpose.challenges], "challenge"),
    ] {
      var kept: [String] = []
      for purpose in purposes where try ledger.reader.secret(of: account, purpose: purpose) != nil {
        kept.append(purpose)
      }
      guard !kept.isEmpty else { continue }
      append.events.append(
        ProposedEvent(
          CredentialsRemoved(purpose: name), account: account,
          cause: .recorded(context.position)))
      if kept.contains(Purpose.credentials) {
        outbox.forgotten(account, isEnding: false)?.queue(in: &append)
      }
      append.vault += kept.map { .remove(account, purpose: $0) }
    }
    guard !append.events.isEmpty else { return false }
    try await ledger.commitUnlessCancelled(append)
    return true
  }
}
