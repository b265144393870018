/// The end of a session by its user: in the book at once, then at the server.
struct Logouts {
  let ledger: Ledger
  let grants: Grants
  let outbox: Outbox

  /// Removes an account's saved credentials, unless somebody else changes the account meanwhile.
  ///
  /// - Returns: Whether there was anything; its servers are still to be told.
  func removeCredentials(of account: AccountID) async throws(GatebookError) -> Bool {
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
        outbox.leaveForgotten(account, isEnding: false, in: &append)
      }
      append.vault += kept.map { .remove(account, purpose: $0) }
    }
    guard !append.events.isEmpty else { return false }
    try await ledger.commitUnlessCancelled(append)
    return true
  }
}
