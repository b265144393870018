extension SessionBook {
  /// Logs an account out: here at once, online or not; then once at the server, if it has a logout.
  ///
  /// The session's secrets are destroyed with the event. Was it the current account, the most
  /// recently used other one that is not logged out becomes current; without one it stays current.
  /// An account that is logged out already is left as it is.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - forgettingCredentials: Whether saved credentials go too; else they survive the logout.
  /// - Returns: The account's context. What the server answered is in the event
  ///   `logout.completed`.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure: only then the
  ///   account is not logged out.
  @discardableResult
  public func logOut(
    _ account: AccountID, forgettingCredentials: Bool = false
  ) async throws(GatebookError) -> SessionContext {
    for _ in 0..<Self.maximumTurns {
      do throws(GatebookError) {
        return try await logOutOnce(account, forgettingCredentials)
      } catch  where error.code == .preconditionFailed {
        // Somebody renewed the session or logged in anew between our look and our commit: then
        // that session is the one to be ended, with its secrets.
        continue
      }
    }
    throw Self.contended
  }

  private func logOutOnce(
    _ account: AccountID, _ forgettingCredentials: Bool
  ) async throws(GatebookError) -> SessionContext {
    let context = try context(of: account)
    if case .ended = context.state, !forgettingCredentials { return context }
    let farewell = farewell(of: account)
    let position = try await endLocally(context, forgettingCredentials)
    if case .ended = context.state { return try self.context(of: account) }
    await endAtServer(farewell, context, cause: position)
    return try self.context(of: account)
  }

  /// What ends the session at the server, made while its secrets are still there; a vault that
  /// cannot be read must not keep anybody from logging out.
  private func farewell(of account: AccountID) -> Farewell? {
    guard let session = try? openSession(of: account) else { return nil }
    let requests = session.stored.proof.logOut(jar: session.jar, at: clock.now())
    guard !requests.isEmpty else { return nil }
    var conversation = conversation(of: session)
    conversation.asksNobody = true
    return Farewell(
      requests: requests, proof: session.stored.proof, conversation: conversation)
  }

  private struct Farewell {
    let requests: [HTTPRequest]
    let proof: any SessionProof
    /// Knows what was given and accepted; nobody is asked for more: the person has left, and there
    /// is no session any more that could keep it.
    var conversation: Conversation
  }

  private func endLocally(
    _ context: SessionContext, _ forgettingCredentials: Bool
  ) async throws(GatebookError) -> Position {
    let account = context.account
    guard let state = try reader.state(of: account), state.session == context.session else {
      throw Self.changed
    }
    var events: [ProposedEvent] = []
    var vault: [Append.VaultChange] = []
    if case .ended = context.state {
    } else {
      events.append(
        ProposedEvent(
          .logoutRequested, account: account, session: context.session,
          cause: .recorded(context.position), data: ["by": "user"]))
      vault.append(.remove(account, purpose: Purpose.session))
      vault.append(.remove(account, purpose: Purpose.cookies))
      vault.append(.remove(account, purpose: Purpose.refused))
    }
    if forgettingCredentials, state.savedCredentials {
      events.append(
        ProposedEvent(
          .credentialsRemoved, account: account, cause: .recorded(context.position),
          data: ["purpose": "login"]))
      vault.append(.remove(account, purpose: Purpose.credentials))
    }
    if context.isCurrent, let next = try successor(of: account) {
      let cause: ProposedEvent.Cause = events.isEmpty ? .recorded(context.position) : .proposed(0)
      events.append(try switching(to: next, cause: cause))
    }
    guard !events.isEmpty else { return context.position }
    var append = Append(
      events, precondition: Self.precondition(context, revision: state.revision))
    append.vault = vault
    return try await commit(append).first
  }

  /// That the session to be ended is still the account's; a busy session's own events do not count.
  private static func precondition(
    _ context: SessionContext, revision: Int64
  ) -> Precondition {
    guard context.state.isUsable, let session = context.session else {
      return .revision(context.account, revision)
    }
    return .generation(context.account, session, context.generation)
  }

  private static var changed: GatebookError {
    GatebookError(
      .preconditionFailed, "Somebody else changed the account first.",
      remedy: "Read the current state, then decide again.")
  }

  /// The most recently used other account that is not logged out.
  private func successor(of account: AccountID) throws(GatebookError) -> AccountID? {
    var best: (id: AccountID, used: Position)?
    for context in try reader.accounts() where context.account != account {
      if case .ended = context.state { continue }
      guard let used = try reader.state(of: context.account)?.used else { continue }
      if used > best?.used ?? .start { best = (context.account, used) }
    }
    return best?.id
  }

  private func endAtServer(
    _ farewell: Farewell?, _ context: SessionContext, cause: Position
  ) async {
    var data: Facts = ["server": "none"]
    if var farewell {
      for request in farewell.requests where data["server"]?.text != "failed" {
        data = await result(of: request, &farewell)
      }
    }
    // The logout has happened and is on disk; a failure to add this note must not undo that.
    _ = try? await commit(
      Append([
        ProposedEvent(
          .logoutCompleted, account: context.account, session: context.session,
          cause: .recorded(cause), data: data)
      ]))
  }

  private func result(of request: HTTPRequest, _ farewell: inout Farewell) async -> Facts {
    do throws(TransportFailure) {
      let reply = try await farewell.conversation.send(request).reply
      return [
        // What was stopped in front of the server has ended nothing behind it.
        "server": farewell.proof.hasEnded(reply) && !Conversation.isHeldUp(reply)
          ? "done" : "failed",
        "status": .integer(Int64(reply.status)),
      ]
    } catch {
      return ["code": .text(error.error.code.rawValue), "server": "failed"]
    }
  }
}
