extension Ledger {
  /// Takes the cookies of an answer into the account's jar, one answer after the other.
  ///
  /// What cannot be recorded is not worth losing the answer for: the next answer brings the
  /// server's cookies again, or the session shows itself as lost.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - url: Where it came from.
  ///   - sentSecrets: What was told in confidence until then.
  ///   - session: The session as it was when the request went out.
  func takeCookies(
    of reply: HTTPReply, from url: HTTPURL, after sentSecrets: SentSecrets, _ session: OpenSession
  ) async {
    guard reply.fields.first("Set-Cookie") != nil, session.stored.proof.keepsCookies else {
      return
    }
    let account = session.context.account
    let before = cookieTurns[account]
    let turn = startTask {
      await before?.value
      _ = try? await self.record(reply, from: url, after: sentSecrets, session)
    }
    cookieTurns[account] = turn
    await turn.value
    if cookieTurns[account] == turn { cookieTurns[account] = nil }
  }

  private func record(
    _ reply: HTTPReply, from url: HTTPURL, after sentSecrets: SentSecrets, _ session: OpenSession
  ) async throws(GatebookError) {
    try await update(session) { current in
      let now = clock.now().wall
      guard current.jar.receive(reply, from: url, at: now, suffixes: suffixes) else { return nil }
      let leaks = sentSecrets.leaks(among: current.jar.names)
      return Append([current.cookiesChanged(at: now, besides: leaks)])
    }
  }

  /// Changes what the vault holds of a session, from what it holds now, with what tells of that.
  ///
  /// Other processes write the jar too: what somebody wrote between our look and our commit is read
  /// again, never overwritten. An answer to another session, or to the same one before its renewal,
  /// is late and changes nothing (rule 4): its cookies belong to what the server has ended.
  ///
  /// - Parameters:
  ///   - session: The session as it was when its request went out.
  ///   - change: Changes the session as it is now, and says what is recorded besides; `nil` for no
  ///     change.
  /// - Throws: `storage.busy` when others keep being faster, and other storage failures.
  func update(
    _ session: OpenSession, _ change: (inout OpenSession) throws(GatebookError) -> Append?
  ) async throws(GatebookError) {
    _ = try await updating(session, change)
  }

  /// Changes an open session likewise, and tells where that is recorded.
  ///
  /// - Returns: The receipt; `nil` where nothing was recorded, also because another session has
  ///   begun.
  func updating(
    _ session: OpenSession, _ change: (inout OpenSession) throws(GatebookError) -> Append?
  ) async throws(GatebookError) -> Receipt? {
    try await retryingOnConflict { () throws(GatebookError) in
      guard let former = try openSession(of: session.context.account), former.isStill(session)
      else { return nil }
      var current = former
      guard var append = try change(&current) else { return nil }
      append.vault += current.changes(since: former)
      guard !append.events.isEmpty || !append.vault.isEmpty else { return nil }
      append.precondition = .revision(current.context.account, current.state.revision)
      return try await commit(append)
    }
  }

  /// Records that a server is trusted again, after its certificate or key was refused: it has just
  /// answered.
  ///
  /// - Parameters:
  ///   - server: Who answered.
  ///   - session: The session whose request it was.
  func recordTrust(in server: Origin, _ session: OpenSession) async {
    guard let position = session.state.distrust,
      let refusal = try? reader.event(at: position)?.facts(of: TrustDecided.self),
      refusal.host == server.host, refusal.port == Int64(server.port)
    else { return }
    // The answer is worth more to the caller than its record.
    try? await update(session) { current in
      guard current.state.distrust == position else { return nil }
      return Append([
        current.event(
          TrustDecided(
            by: "policy", "trusted", host: server.host, port: Int64(server.port)),
          cause: .recorded(position))
      ])
    }
  }

  /// Notes that a server has answered: the way to it is open.
  func heardFrom(_ server: Origin) { answers[server] = clock.now() }

  func hasAnswered(_ server: Origin, since lost: Timestamp) -> Bool {
    answers[server].map { $0.wall > lost } ?? false
  }
}
