extension SessionBook {
  /// Asks the server whether a session still lives, without a new login.
  ///
  /// - Returns: `true` when the server confirmed it; `false` when it refused, and then the session
  ///   has ended.
  /// - Throws: What kept the server from answering; the session is kept.
  func verify(_ session: OpenSession) async throws(GatebookError) -> Bool {
    let run = LoginRun(
      transport: transport, route: session.route, suffixes: suffixes, clock: clock,
      random: random)
    let machine = session.stored.proof.verification(jar: session.jar)
    switch await run.run(machine).result {
    case .success(let outcome):
      try await confirm(session, outcome)
      return true
    case .failure(let error)
    where error.code == .sessionRefused || error.code == .credentialsRefused:
      try await end(session.context, reason: .refused, cause: nil, error: error)
      return false
    case .failure(let error): throw error
    }
  }

  private func vault(
    _ session: OpenSession, _ outcome: Outcome
  ) -> [Append.VaultChange] {
    let account = session.context.account
    let generation = session.state.generation
    var changes: [Append.VaultChange] = []
    if outcome.jar.record != session.jar.record {
      changes.append(
        .set(
          account, purpose: Purpose.cookies, generation: generation,
          content: outcome.jar.record.encoded))
    }
    if outcome.proof.record != session.stored.proof.record {
      var stored = session.stored
      stored.proof = outcome.proof
      changes.append(
        .set(
          account, purpose: Purpose.session, generation: generation, content: stored.encoded))
    }
    return changes
  }

  private func confirm(
    _ session: OpenSession, _ outcome: Outcome
  ) async throws(GatebookError) {
    let account = session.context.account
    guard try reader.account(named: outcome.person.userParts) == account else {
      throw GatebookError(
        .identityMismatch, "The server answered for another user than the account's.",
        kept: "The session is kept; the answer was not used.",
        remedy: "Log in again, and ask who runs the server.")
    }
    var events: [ProposedEvent] = []
    if session.context.state != .active { events.append(session.event(.sessionVerified)) }
    events += changes(
      session, outcome,
      cause: events.isEmpty ? .recorded(session.context.position) : .proposed(0))
    var append = Append(events, precondition: session.precondition)
    append.vault = vault(session, outcome)
    // A fresh token of the same session is a secret without an event of its own: it comes with the
    // word that the session was verified.
    if events.isEmpty, !append.vault.isEmpty { append.events = [session.event(.sessionVerified)] }
    guard !append.events.isEmpty else { return }
    do throws(GatebookError) {
      _ = try await store.append(append)
    } catch  where error.code == .preconditionFailed {
      // Renewed or ended meanwhile: the newer fact stands.
      return
    }
  }
}
