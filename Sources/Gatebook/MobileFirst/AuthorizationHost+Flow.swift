extension AuthorizationHost {
  /// An account's MobileFirst session, if it has one that can be used.
  func authorizationSession(
    of account: AccountID
  ) throws(GatebookError) -> (OpenSession, MobileFirstProof)? {
    guard try ledger.context(of: account).state.isUsable,
      let session = try ledger.openSession(of: account)
    else { return nil }
    guard let proof = session.stored.proof as? MobileFirstProof else {
      throw GatebookError(
        .configurationInvalid, "The account's session does not use the method `mobilefirst`.",
        kept: "Nothing was sent.", remedy: "Name another account.")
    }
    return (session, proof)
  }

  /// The account's client registration; it survives its sessions.
  func registration(of account: AccountID) throws(GatebookError) -> ClientRegistration? {
    guard let bytes = try ledger.reader.secret(of: account, purpose: Purpose.registration) else {
      return nil
    }
    guard let registration = Facts(decoding: bytes).flatMap({ ClientRegistration(record: $0) })
    else {
      throw GatebookError(
        .storageDamaged, "This version of Gatebook cannot read the account's client registration.",
        kept: "The registration is kept.", remedy: "Use the version that made it, or a newer one.")
    }
    return registration
  }

  /// Records events where they belong, durably, and changes of the vault with them.
  ///
  /// - Throws: `session.refused` when the session was ended meanwhile: what comes late changes
  ///   nothing (rule 4).
  func record(
    _ events: [ProposedEvent], at place: FlowContext,
    besides changes: [Append.VaultChange] = []
  ) async throws(GatebookError) {
    guard !events.isEmpty else { return }
    do throws(GatebookError) {
      try await ledger.commit(
        Append(
          events.map(place.proposed), precondition: place.session?.precondition ?? .none,
          vault: changes))
    } catch  where error.code == .preconditionFailed {
      guard let session = place.session else { throw error }
      throw Ledger.needsLogin(try ledger.context(of: session.context.account))
    }
  }

  /// Changes an account's MobileFirst session from what it is now; `change` says with which events.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - leaks: Names of cookies that must not be in the clear.
  ///   - change: Changes it.
  /// - Returns: The session afterwards.
  /// - Throws: `session.refused` if the session was ended or replaced meanwhile.
  func amend(
    _ session: OpenSession, besides leaks: Set<String> = [],
    _ change: (inout OpenSession, inout MobileFirstProof) -> [ProposedEvent]
  ) async throws(GatebookError) -> (OpenSession, MobileFirstProof) {
    try await ledger.retryingOnConflict { () throws(GatebookError) in
      guard let (read, former) = try authorizationSession(of: session.context.account),
        read.session == session.session
      else { throw Ledger.needsLogin(try ledger.context(of: session.context.account)) }
      var (current, proof) = (read, former)
      let changes = change(&current, &proof)
      current.stored.proof = proof
      var events = changes.map { FlowContext.session(current, proof).proposed($0) }
      if current.jar.record != read.jar.record {
        events.append(current.cookiesChanged(at: ledger.clock.now().wall, besides: leaks))
      }
      guard !events.isEmpty else { return (current, proof) }
      var append = Append(
        events, precondition: .revision(current.context.account, current.state.revision),
        vault: current.changes(since: read))
      if proof.registration.record != former.registration.record {
        append.vault.append(
          proof.registration.kept(of: current.context.account, current.state.generation))
      }
      try await ledger.commit(append)
      return (current, proof)
    }
  }

  /// Sends a request with the account's cookies and, where one is wanted, a token.
  func deliver(
    _ request: HTTPRequest, _ token: AccessToken?, _ session: OpenSession,
    _ refusals: inout Refusals
  ) async throws(GatebookError) -> Conversation.Exchanged {
    let exchanged = try await requests.exchange(request, session, with: token, &refusals)
    if token != nil, (200...299).contains(exchanged.reply.status),
      session.context.state != .active
    {
      // A resource that took the token has confirmed the session.
      _ = try? await amend(session) { current, _ in
        current.context.state == .active ? [] : [ProposedEvent(SessionVerified())]
      }
    }
    return exchanged
  }

  /// Forgets a token of an account's session, if it is still the one.
  func clear(
    _ token: AccessToken, of account: AccountID?, cause: String
  ) async throws(GatebookError) {
    guard let account, let (session, proof) = try authorizationSession(of: account),
      proof.tokens[token.scope] == token
    else { return }
    _ = try await amend(session) { _, proof in
      guard proof.tokens[token.scope] == token, proof.clear(token.scope) else { return [] }
      return [ProposedEvent(clearing: token.scope, cause: cause)]
    }
  }

  /// Keeps the registration of an account that has no session now.
  func keep(
    _ registration: ClientRegistration, of account: AccountID, _ event: ProposedEvent,
    at place: FlowContext
  ) async throws(GatebookError) {
    try await ledger.commit(
      Append([place.proposed(event)], vault: [registration.kept(of: account)]))
  }

  /// Begins a login attempt, with changes of the vault: the events of a flow without a session
  /// belong to it.
  ///
  /// - Parameters:
  ///   - app: The app.
  ///   - account: Whose login it is; `nil` while that is not known.
  ///   - name: The fingerprint of the name that logs in, where it is given and no account is known.
  ///   - changes: The changes.
  /// - Returns: The attempt.
  /// - Throws: Storage failures.
  func beginAuthorization(
    _ app: MobileFirstApp, account: AccountID?, name: String?,
    besides changes: [Append.VaultChange]
  ) async throws(GatebookError) -> LoginAttempt {
    let session = try ledger.newSession()
    var started = LoginStarted(
      isInteractive: true, method: MobileFirstProof.method,
      server: app.server.origin.description)
    started.name = name
    let event = ProposedEvent(started, account: account, session: session)
    let receipt = try await ledger.commit(Append([event], vault: changes))
    return LoginAttempt(
      session: session, started: receipt.first, account: account,
      typed: app.person("", loginName: ""))
  }

  /// Records that an attempt ended without a session.
  ///
  /// - Returns: The failure as the caller is to see it.
  func endAuthorization(_ attempt: LoginAttempt, _ error: GatebookError) async -> GatebookError {
    // Who cancels a challenge cancels the login.
    let isCancelled = error.code == .challengeCancelled
    await logins.record(isCancelled ? GatebookError.cancelledByCaller : error, attempt, [])
    await logins.tell([.failed(error)])
    return logins.failure(error)
  }

  /// Records that an attempt ended well, but that no check named a user who could be logged in.
  func endAuthorization(_ attempt: LoginAttempt) async {
    // The flow has succeeded; without this event the attempt reads as "begun, never ended".
    var cancelled = LoginCancelled()
    cancelled.reason = "nobody"
    let end = attempt.event(cancelled)
    _ = try? await ledger.commit(Append(outbox.outlivingErasure([end])))
  }

  /// Records a login that a check has proven, in one transaction with the client's registration.
  ///
  /// `kept` is where the registration was kept until now; the account takes it over. What the
  /// account trusts is read with the success: who takes a key back until then has the last word.
  ///
  /// - Returns: The account.
  /// - Throws: `identity.mismatch` when `bound` is another user's account.
  func succeed(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ events: [ProposedEvent],
    _ options: LoginOptions, given: [GivenCredential], accepted: [TrustException],
    bound: AccountID?, taking kept: SessionID?
  ) async throws(GatebookError) -> AccountID {
    let known = try ledger.account(of: outcome.person)
    if let bound, known != bound { throw Authorizations.otherUser }
    guard let proof = outcome.proof as? MobileFirstProof else { throw Authorizations.otherUser }
    var events = events
    let former = if let known { try registration(of: known) } else { nil as ClientRegistration? }
    if let former, former.clientID != proof.registration.clientID {
      events.append(ProposedEvent(proof.registration, replacing: former.clientID))
    }
    let account = try await logins.record(
      LoginSuccess(
        outcome: outcome, attempt: attempt, challenges: [], options: options, accepted: accepted,
        given: given,
        besides: LoginAdditions(
          events: events,
          vault: [(purpose: Purpose.registration, content: proof.registration.record.encoded)],
          kept: kept), moment: ledger.clock.now()))
    // What is committed stays so, though nobody could be told of it.
    if let context = try? ledger.context(of: account) { await logins.tell([.response(context)]) }
    return account
  }

  /// What an account trusts now, and what was given beyond that.
  ///
  /// It is read at each use, because it can be revoked.
  func trust(
    _ options: LoginOptions, for account: AccountID?
  ) throws(GatebookError) -> Trust {
    try challenges.trust(options, for: account)
  }
}

extension ClientRegistration {
  /// What keeps it in the vault.
  func kept(of account: AccountID, _ generation: Int64 = 1) -> Append.VaultChange {
    .set(
      account, purpose: Purpose.registration, generation: generation, content: record.encoded)
  }
}
