extension AuthorizationHost {
  /// Logs a MobileFirst account out, and forgets what its server told about the user.
  ///
  /// Source: the remember-me sample: a logout forgets the display name.
  func logOutUser(of account: AccountID) async throws(GatebookError) -> CheckLogout {
    let before = try ledger.context(of: account)
    try await logouts.logOut(account)
    if let change = ProposedEvent(changing: before.user, to: UserAttributes()) {
      let position = try ledger.context(of: account).position
      // The logout has happened; what is forgotten late is forgotten with the next login.
      _ = try? await ledger.commit(
        Append([change.placed(account, before.session, cause: .recorded(position))]))
    }
    let completed = try ledger.events(
      .logoutCompleted, of: account, since: try ledger.context(of: account).position)
    return CheckLogout(completed.last?.facts(of: LogoutCompleted.self) ?? .blank)
  }

  /// Records what the server said to the logout of a check that named no user.
  func note(
    _ outcome: CheckLogout, _ check: String, _ flow: FlowID, of account: AccountID?,
    _ session: SessionID?
  ) async {
    var completed = outcome.completed
    completed.check = .plain(check)
    completed.flow = flow
    // The logout has happened; a failure to add this note must not undo that.
    _ = try? await ledger.commit(
      Append([
        ProposedEvent(completed, account: account, session: session)
      ]))
  }
}
