extension SessionBook {
  /// Logs a user in; the same user at the same server is the same account again.
  ///
  /// Nothing but the log changes until the login has succeeded: a former session stays as it is
  /// when this fails. On success, secrets, events and projections are on disk together before this
  /// returns.
  ///
  /// - Parameters:
  ///   - method: How to log in, such as `.http(url:user:password:)`.
  ///   - options: How to keep it.
  /// - Returns: The account's context.
  /// - Throws: `login.cleartext`, `login.inProgress`, the method's own failures such as
  ///   `credentials.refused` and `login.unprovable`, `network.unreachable`, or a storage failure.
  public func logIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> SessionContext {
    try checkCleartext(method, options)
    if let label = options.label { try checkLabel(label, of: try knownAccount(method.person)) }
    guard loggingIn.insert(method.person).inserted else {
      throw GatebookError(
        .loginInProgress, "A login of this user is under way already.",
        remedy: "Wait for it to end.")
    }
    defer { loggingIn.remove(method.person) }
    let attempt = try await begin(method)
    let route = Route(pool: attempt.session.description, trust: options.trust)
    let ending = await run(method.authenticator(), through: route)
    switch ending.result.flatMap(Self.readable) {
    case .success(let outcome):
      let account = try await record(outcome, attempt, ending.challenges, options)
      return try context(of: account)
    case .failure(let error):
      // In a task of its own: a caller that was cancelled must not keep this from the log.
      await Task { await record(error, attempt, ending.challenges) }.value
      throw error
    }
  }

  /// A login that was begun: what its events have in common.
  struct LoginAttempt {
    var session: SessionID
    var started: Position
    /// The account that the typed name leads to; `nil` when there is none yet.
    var account: AccountID?
    /// Who was named when it began; the server may know them under another id or tenant.
    var typed: Person
  }

  /// Only a session that can be read back may begin: what no restart finds is no session.
  private static func readable(_ outcome: Outcome) -> Result<Outcome, GatebookError> {
    let method = type(of: outcome.proof).method
    if SessionProofs.decode(method: method, record: outcome.proof.record) != nil {
      return .success(outcome)
    }
    return .failure(
      GatebookError(
        .configurationInvalid, "No restart could read a session of method \(method) back.",
        kept: "No account was made.", remedy: "Add the method's proof to SessionProofs."))
  }

  private func checkCleartext(
    _ method: LoginMethod, _ options: LoginOptions
  ) throws(GatebookError) {
    // A session's cookies are as good as its password: other origins get them too.
    let origins = (method.sendsPassword ? [method.origin] : []) + options.origins
    guard !options.allowsCleartext, let origin = origins.first(where: \.isCleartext) else { return }
    let what = origin == method.origin ? "password" : "session"
    throw GatebookError(
      .loginCleartext, "The \(what) would go to \(origin) without TLS.",
      kept: "Nothing was sent.",
      remedy: "Use https, or allow it explicitly; the permission is recorded.")
  }

  private func knownAccount(_ person: Person) throws(GatebookError) -> AccountID? {
    if let account = try reader.account(named: person.nameParts) { return account }
    return try reader.account(named: person.userParts)
  }

  private func begin(_ method: LoginMethod) async throws(GatebookError) -> LoginAttempt {
    let session = try newSession()
    let account = try knownAccount(method.person)
    var data: Facts = [
      "interactive": true, "method": .text(method.name),
      "server": .text(method.person.server.description),
    ]
    if account == nil {
      data["name"] = .text(try reader.nameFingerprint(method.person.nameParts))
    }
    let event = ProposedEvent(
      .loginStarted, account: account, session: session, data: data,
      personal: account == nil ? nil : ["user": .text(method.person.loginName)])
    let receipt = try await commit(Append([event]))
    return LoginAttempt(
      session: session, started: receipt.first, account: account, typed: method.person)
  }

  private func record(
    _ error: GatebookError, _ attempt: LoginAttempt, _ challenges: [AuthenticatorRun.Challenge]
  ) async {
    var events = attempt.events(for: challenges, account: attempt.account)
    let kind: EventKind = error.code == .cancelled ? .loginCancelled : .loginFailed
    let data: Facts = kind == .loginCancelled ? [:] : error.facts
    events.append(
      ProposedEvent(
        kind, account: attempt.account, session: attempt.session,
        cause: .recorded(attempt.started), data: data))
    // The login's own failure is what the caller must hear; without this event it reads as
    // "begun, never ended".
    _ = try? await commit(Append(events))
  }

  private func record(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ challenges: [AuthenticatorRun.Challenge],
    _ options: LoginOptions
  ) async throws(GatebookError) -> AccountID {
    let known = try reader.account(named: outcome.person.userParts)
    let success = LoginSuccess(
      outcome: outcome, attempt: attempt, challenges: challenges, options: options,
      moment: clock.now())
    do throws(GatebookError) {
      return try await record(success, known)
    } catch  where error.code == .preconditionFailed && known == nil {
      // Another process made the account between our look and our commit: it is the same one.
      guard let made = try reader.account(named: outcome.person.userParts) else { throw error }
      return try await record(success, made)
    }
  }

  private func record(
    _ success: LoginSuccess, _ known: AccountID?
  ) async throws(GatebookError) -> AccountID {
    let account = if let known { known } else { try newAccount() }
    let person = success.outcome.person
    let former = if let known { try context(of: known).user } else { UserAttributes() }
    var append = success.append(for: account, isNew: known == nil, attributes: former)
    if known == nil {
      append.newAccounts = [
        Append.NewAccount(
          id: account, lookups: [try reader.lookupHash(person.userParts)])
      ]
    }
    for name in Set([person.nameParts, success.attempt.typed.nameParts]) {
      append.lookups.append((account: account, hash: try reader.lookupHash(name)))
    }
    if success.options.becomesCurrent, try reader.current() != account {
      append.events.append(
        try switching(to: account, cause: .proposed(success.index(of: .loginSucceeded, in: append)))
      )
    }
    try await commit(append)
    return account
  }
}
