extension AuthorizationHost {
  /// Sends a request with the account's cookies and, where one is wanted, a token.
  func deliver(
    _ request: HTTPRequest, _ token: AccessToken?, _ session: OpenSession,
    _ refusals: inout Refusals
  ) async throws(GatebookError) -> Conversation.Exchanged {
    let carried = request.carrying(session.jar, token, at: ledger.clock.now())
    var conversation = challenges.conversation(of: session)
    conversation.refusals = refusals
    defer { refusals = conversation.refusals }
    do throws(TransportFailure) {
      let exchanged = try await conversation.send(carried)
      let reply = exchanged.reply
      await ledger.takeCookies(
        of: reply, from: request.url, after: conversation.sentSecrets, session)
      // An answer is worth more than what it took to get it: what cannot be kept is asked again.
      try? await challenges.keep(conversation, session)
      if token != nil, (200...299).contains(reply.status), session.context.state != .active {
        // A resource that took the token has confirmed the session.
        _ = try? await amend(session) { current, _ in
          current.context.state == .active ? [] : [ProposedEvent(SessionVerified())]
        }
      }
      return exchanged
    } catch {
      try? await challenges.keep(conversation, session)
      throw error.error
    }
  }
}
