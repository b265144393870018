extension SessionBook {
  /// Takes the cookies of an answer into the account's jar, one answer after the other.
  ///
  /// What cannot be recorded is not worth losing the answer for: the next answer brings the
  /// server's cookies again, or the session shows itself as lost.
  func takeCookies(of reply: HTTPReply, from url: HTTPURL, _ session: OpenSession) async {
    guard reply.fields.first("Set-Cookie") != nil else { return }
    let account = session.context.account
    let before = cookieTurns[account]
    let turn = Task {
      await before?.value
      _ = try? await record(reply, from: url, session)
    }
    cookieTurns[account] = turn
    await turn.value
    if cookieTurns[account] == turn { cookieTurns[account] = nil }
  }

  private func record(
    _ reply: HTTPReply, from url: HTTPURL, _ session: OpenSession
  ) async throws(GatebookError) {
    guard var current = try openSession(of: session.context.account),
      current.session == session.session
    else { return }
    let now = clock.now().wall
    guard current.jar.receive(reply, from: url, at: now, suffixes: suffixes) else { return }
    var append = Append(
      [current.event(.cookiesChanged, data: ["cookies": current.jar.described(at: now)])],
      precondition: current.precondition)
    append.vault = [
      .set(
        current.context.account, purpose: Purpose.cookies, generation: current.state.generation,
        content: current.jar.record.encoded)
    ]
    _ = try await store.append(append)
  }
}
