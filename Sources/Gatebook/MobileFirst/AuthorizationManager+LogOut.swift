extension AuthorizationManager {
  /// Ends a check: here at once, then at the server.
  func logOut(_ check: String, flow: FlowID) async throws(GatebookError) -> CheckLogout {
    guest.tokens = [:]
    users = [:]
    if let account, let (session, proof) = try await book.authorizationSession(of: account) {
      if proof.check == check {
        guest.registration = nil
        return try await book.logOutUser(of: account)
      }
      let (cleared, kept) = try await book.amend(session) { _, proof in
        proof.clear(nil) ? [ProposedEvent(clearing: nil, cause: "logout")] : []
      }
      let outcome = await serverLogout(
        check, proof.registration, cleared.jar, at: .session(cleared, kept))
      await book.note(outcome, check, flow, of: account, cleared.session)
      return outcome
    }
    try await recallRegistration()
    var outcome = CheckLogout.nothingToEnd
    if let registration = guest.registration {
      outcome = await serverLogout(check, registration, guest.jar, at: nil)
    }
    await book.note(outcome, check, flow, of: account, nil)
    return outcome
  }

  /// Ends a check at the server; no resolver is asked about proxies.
  func serverLogout(
    _ check: String, _ registration: ClientRegistration, _ jar: CookieJar,
    at place: FlowContext?
  ) async -> CheckLogout {
    let now = book.effects.clock.now()
    guard
      let request = MobileFirstProof(registration: registration, check: check, userID: "")
        .logOut(jar: jar, at: now).first
    else { return .failed(.configurationInvalid, status: nil) }
    var conversation: Conversation
    do throws(GatebookError) {
      conversation = try await self.conversation(at: place)
    } catch {
      return .failed(error.code, status: nil)
    }
    conversation.asksNobody = true
    do throws(TransportFailure) {
      let status = try await conversation.send(request).reply.status
      return (200...299).contains(status) ? .done : .failed(nil, status: status)
    } catch {
      return .failed(error.error.code, status: nil)
    }
  }
}

extension CheckLogout {
  /// Reads the facts of `logout.completed`.
  init(_ completed: LogoutCompleted) {
    switch completed.server {
    case "done": self = .done
    case "none": self = .nothingToEnd
    default:
      self = .failed(
        completed.failure.code, status: completed.failure.status.map { Int($0) })
    }
  }
}
