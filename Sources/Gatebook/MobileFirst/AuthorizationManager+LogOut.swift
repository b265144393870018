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
        proof.clear(nil) ? [AuthorizationEvent(clearing: nil, cause: "logout")] : []
      }
      let outcome = await serverLogout(
        check, proof.registration, cleared.jar, at: .session(cleared, kept))
      await book.note(outcome, check, flow, of: account, cleared.session)
      return outcome
    }
    try await recallRegistration()
    var outcome = CheckLogout.nothingToEnd
    if let registration = guest.registration {
      outcome = await serverLogout(
        check, registration, guest.jar, at: attempt.map { .attempt($0) })
    }
    await book.note(outcome, check, flow, of: account, attempt?.session)
    return outcome
  }

  /// Ends a check at the server; nobody is asked for what stands in front of it.
  func serverLogout(
    _ check: String, _ registration: ClientRegistration, _ jar: CookieJar,
    at place: FlowContext?
  ) async -> CheckLogout {
    let now = book.clock.now()
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

extension SessionBook {
  /// Logs a MobileFirst account out, and forgets what its server told about the user.
  ///
  /// Source: the remember-me sample: a logout forgets the display name.
  func logOutUser(of account: AccountID) async throws(GatebookError) -> CheckLogout {
    let before = try context(of: account)
    try await logOut(account)
    if let change = AttributeChange(from: before.user, to: UserAttributes()) {
      // The logout has happened; what is forgotten late is forgotten with the next login.
      _ = try? await commit(
        Append([
          ProposedEvent(
            change.facts, account: account, session: before.session,
            cause: .recorded(try context(of: account).position), personal: change.personal)
        ]))
    }
    let completed = try events(
      .logoutCompleted, of: account, since: try context(of: account).position)
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
    _ = try? await commit(
      Append([
        ProposedEvent(completed, account: account, session: session)
      ]))
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
