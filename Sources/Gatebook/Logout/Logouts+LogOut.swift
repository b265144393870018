extension Logouts {
  /// Logs an account out: in the book at once, even offline; then once at the server, if it
  /// supports that.
  @discardableResult
  func logOut(
    _ account: AccountID, forgettingCredentials: Bool = false, byPolicy: Bool = false
  ) async throws(GatebookError) -> SessionContext {
    do {
      // Another delivery to the account's servers does not delay a logout.
      let lock = try? ledger.reader.takeLock(ofOutbox: account)
      let localLogout = try await logOutLocally(
        account, forgettingCredentials, by: byPolicy ? .policy : .user)
      await tellServer(of: localLogout, holding: lock)
    }
    if forgettingCredentials { await outbox.tellServers(ofForgotten: account) }
    return try ledger.context(of: account)
  }

  /// Logs every account out: first all of them in the book, then at their servers.
  @discardableResult
  func logOutAll(
    forgettingCredentials: Bool = false
  ) async throws(GatebookError) -> [SessionContext] {
    var localLogouts: [LocalLogout] = []
    var failure: GatebookError?
    for context in try ledger.accounts() {
      do throws(GatebookError) {
        localLogouts.append(try await logOutLocally(context.account, forgettingCredentials))
      } catch {
        failure = failure ?? error
      }
    }
    // Together: one server that is silent must not keep the others from hearing of it. Each holds a
    // file open.
    _ = await together(localLogouts, most: Outbox.toldAtOnce) { (localLogout) async -> Void in
      await self.tellServer(of: localLogout, holding: nil)
      if forgettingCredentials {
        await self.outbox.tellServers(ofForgotten: localLogout.context.account)
      }
    }
    if let failure {
      guard failure.code == .cancelled, localLogouts.contains(where: { $0.cause != nil }) else {
        throw failure
      }
      throw failure.keeping(
        "Some accounts were logged out before the failure; the others are unchanged.")
    }
    var contexts: [SessionContext] = []
    for localLogout in localLogouts {
      contexts.append(try ledger.context(of: localLogout.context.account))
    }
    return contexts
  }

  /// A logout that has happened here.
  struct LocalLogout: Sendable {
    /// The account before it.
    let context: SessionContext
    /// The event that ended the session; `nil` where none was to be ended.
    let cause: Position?
    let serverLogout: ServerLogout?
    /// Why it is not known what ends the session at the server; `nil` where it is.
    var failure: GatebookError?
  }

  /// Who wants an account logged out, as the log names them.
  enum Order: String, Sendable {
    case user
    /// A rule of the app.
    case policy
    /// It is to be erased.
    case erase
  }

  /// Logs an account out here; the server is still to be told.
  func logOutLocally(
    _ account: AccountID, _ forgettingCredentials: Bool, by order: Order = .user
  ) async throws(GatebookError) -> LocalLogout {
    _ = await grants.saving[account]?.value
    // If somebody renewed the session or logged in again between our look and our commit, that
    // session is ended, with its secrets.
    let localLogout = try await ledger.retryingOnConflict { () throws(GatebookError) in
      try await departOnce(account, forgettingCredentials, order)
    }
    // Not before: without the logout in the book, that grant would still be all there is.
    await grants.dropLogin(of: account)
    return localLogout
  }

  private func departOnce(
    _ account: AccountID, _ forgettingCredentials: Bool, _ order: Order
  ) async throws(GatebookError) -> LocalLogout {
    let context = try ledger.context(of: account)
    if case .ended = context.state {
      try await callOff(context, order)
      if forgettingCredentials { _ = try await endLocally(context, true, nil, order) }
      return LocalLogout(context: context, cause: nil, serverLogout: nil)
    }
    // A vault that cannot be read must not keep anybody from logging out.
    var serverLogout: ServerLogout?
    var failure: GatebookError?
    do throws(GatebookError) {
      // Made while its secrets are still there.
      if let session = try ledger.openSession(of: account),
        let item = outbox.serverLogout(of: session, forgettingCredentials: forgettingCredentials)
      {
        serverLogout = (OutboxItem.key(session.session, session.state.generation), item)
      }
    } catch {
      failure = error
    }
    let position = try await endLocally(context, forgettingCredentials, serverLogout, order)
    return LocalLogout(
      context: context, cause: position, serverLogout: serverLogout, failure: failure)
  }

  /// Records the logout of an account that somebody may be logging in again at this moment: what
  /// comes of that is not wanted any more.
  private func callOff(_ context: SessionContext, _ order: Order) async throws(GatebookError) {
    // One that this process holds is dropped, also where the book cannot be written now.
    guard !grants.holdsLogin(of: context.account),
      let state = try ledger.reader.state(of: context.account), state.savedUse?.isOpen == true
    else { return }
    try await ledger.commitUnlessCancelled(
      Append(
        [context.event(LogoutRequested(by: order.rawValue))],
        precondition: .revision(context.account, state.revision)))
  }

  /// What ends the session at the server, and its place in the outbox.
  typealias ServerLogout = (key: String, item: OutboxItem)

  private func endLocally(
    _ context: SessionContext, _ forgettingCredentials: Bool, _ serverLogout: ServerLogout?,
    _ order: Order
  ) async throws(GatebookError) -> Position {
    let account = context.account
    guard let state = try ledger.reader.state(of: account), state.session == context.session else {
      throw GatebookError.changedMeanwhile
    }
    var append = Append([], precondition: Self.precondition(context, revision: state.revision))
    /// Which of the events ends the session.
    var logout = 0
    if case .ended = context.state {
    } else {
      var requested = LogoutRequested(by: order.rawValue)
      requested.outbox = serverLogout?.key
      // A vault that cannot be read must not keep anybody from logging out.
      let doubt = try? ledger.doubtOfSaved(account)
      (requested.attempt, requested.fingerprint) = (doubt?.attempt, doubt?.fingerprint)
      // The log is to tell both, that it had ended and that somebody logged out.
      append.events = (try? ledger.expiry(of: account, state)) ?? []
      logout = append.events.count
      append.events.append(
        context.event(requested, cause: logout == 0 ? nil : .proposed(logout - 1)))
      if let serverLogout {
        // Until the server has heard: this process may die, and the network be away.
        append.vault.append(
          serverLogout.item.kept(as: serverLogout.key, generation: context.generation, of: account))
      }
      append.vault += ledger.endingVault(of: account)
      append.vault.append(.remove(account, purpose: Purpose.refused))
    }
    if forgettingCredentials, state.savedCredentials {
      append.events.append(
        ProposedEvent(
          CredentialsRemoved(purpose: "login"), account: account,
          cause: .recorded(context.position)))
      outbox.leaveForgotten(account, isEnding: true, in: &append)
      append.vault.append(.remove(account, purpose: Purpose.credentials))
      append.vault.append(.remove(account, purpose: Purpose.offline))
    }
    if context.isCurrent, let next = try successor(of: account) {
      let cause: ProposedEvent.Cause =
        append.events.isEmpty ? .recorded(context.position) : .proposed(logout)
      append.events.append(try ledger.switching(to: next, cause: cause))
    }
    guard !append.events.isEmpty else { return context.position }
    return try await ledger.commitUnlessCancelled(append)[logout]
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

  /// The most recently used other account that is not logged out.
  func successor(of account: AccountID) throws(GatebookError) -> AccountID? {
    var best: (id: AccountID, used: Position)?
    for context in try ledger.reader.accounts() where context.account != account {
      if case .ended = context.state { continue }
      guard let used = try ledger.reader.state(of: context.account)?.used else { continue }
      if used > best?.used ?? .start { best = (context.account, used) }
    }
    return best?.id
  }

  /// Tells the server of a logout.
  ///
  /// - Parameters:
  ///   - localLogout: The logout.
  ///   - former: Keeps others from telling it before; `nil` where that is still to be taken.
  func tellServer(of localLogout: LocalLogout, holding former: AccountLock?) async {
    guard let cause = localLogout.cause else { return }
    let context = localLogout.context
    guard let serverLogout = localLogout.serverLogout, let session = context.session else {
      var completed = LogoutCompleted(server: "none")
      if let failure = localLogout.failure, context.state.isUsable {
        completed.server = "unread"
        completed.failure.code = failure.code
      }
      return await complete(context, cause, completed)
    }
    var lock = former
    if lock == nil { lock = await outboxLock(of: context.account) }
    guard let lock else {
      var queued = LogoutCompleted(server: "queued")
      queued.outbox = serverLogout.key
      queued.wait = outbox.wait(after: 0, nil)
      await complete(context, cause, queued)
      return outbox.keepDelivering()
    }
    defer { withExtendedLifetime(lock) {} }
    // Who had the lock before may have told the server.
    if let state = try? ledger.reader.state(of: context.account),
      state.outbox[serverLogout.key] == nil
    {
      return await complete(
        context, cause, LogoutCompleted(server: fate(of: serverLogout, cause, context)))
    }
    let asker = Conversation.Asker(
      account: context.account, session: session, cause: .recorded(cause), keepsDecisions: false)
    let ending = await DeliveryEnding.inTime { await self.outbox.send(serverLogout.item, asker) }
    var completed = LogoutCompleted(server: "done")
    completed.failure = ending.failure
    completed.outbox = serverLogout.key
    switch ending {
    case .done: break
    // Who is asked again refuses again.
    case .failed where ending.isRefusal: completed.server = "givenUp"
    case .failed(_, _, let demanded):
      completed.server = "queued"
      completed.wait = outbox.wait(after: 0, demanded)
    }
    await complete(context, cause, completed)
    if completed.wait.retryAfter != nil { outbox.keepDelivering() }
  }

  /// What became of a farewell that somebody else has taken out of the outbox.
  private func fate(
    of serverLogout: ServerLogout, _ cause: Position, _ context: SessionContext
  ) -> String {
    let failed = try? ledger.events(.revocationFailed, of: context.account, since: cause)
    let isGivenUp = failed?.contains {
      let failed = $0.facts(of: RevocationFailed.self)
      return failed?.outbox == serverLogout.key && failed?.isHalted == true
    }
    return isGivenUp == true ? "givenUp" : "done"
  }

  /// Waits for another delivery to the account's servers, for as long as a server may take.
  private func outboxLock(of account: AccountID) async -> AccountLock? {
    await startTask {
      try? await self.ledger.waitForLock({ () throws(GatebookError) in
        try self.ledger.reader.takeLock(ofOutbox: account)
      })
    }.value(cancelledAfter: DeliveryEnding.patience)
  }

  /// Records how the logout ended; what failed is delivered to the server later.
  private func complete(
    _ context: SessionContext, _ cause: Position, _ completed: LogoutCompleted
  ) async {
    var append = Append([context.event(completed, cause: .recorded(cause))])
    if let key = completed.outbox, completed.wait.retryAfter == nil {
      append.vault = [.remove(context.account, purpose: OutboxItem.purpose(key))]
    } else if let key = completed.outbox {
      append.events.append(context.event(RevocationQueued(outbox: key), cause: .proposed(0)))
    }
    // The logout has happened and is on disk; a failure to add this note must not undo that: what
    // is in the outbox stays there.
    _ = try? await ledger.commit(append)
  }
}
