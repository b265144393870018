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
  ///   - browser: Shows the server's page, or the code for another device, to the person; only for
  ///     methods that have one. Without it a page is shown by ``beginLogIn(_:options:)`` and
  ///     ``finishLogIn(redirect:account:)``.
  /// - Returns: The account's context.
  /// - Throws: `login.cleartext`, `login.inProgress`, `configuration.invalid` for another account's
  ///   label (also when the server has told who it is: what it granted is ended there), the method's
  ///   own failures such as
  ///   `credentials.refused` and `login.unprovable`, `identity.mismatch` for another user than that
  ///   of ``LoginOptions/account``, `challenge.timedOut` when no redirect came,
  ///   `network.unreachable`, or a storage failure.
  public func logIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions(), browser: (any Browser)? = nil
  ) async throws(GatebookError) -> SessionContext {
    do throws(GatebookError) {
      return try await logInOnce(method, options, browser)
    } catch {
      await tell([.failed(error)])
      throw error
    }
  }

  /// Chooses who hears how logins end.
  ///
  /// - Parameter delegate: Kept alive by the book; `nil` for nobody.
  public func setLoginDelegate(_ delegate: (any LoginDelegate)?) {
    loginDelegate = delegate
  }

  private func logInOnce(
    _ method: LoginMethod, _ options: LoginOptions, _ browser: (any Browser)?
  ) async throws(GatebookError) -> SessionContext {
    if method.opensPage {
      guard let browser else { throw Self.needsBrowser }
      let pending = try await openPage(for: method, options)
      return try await visit(pending, browser)
    }
    switch try await start(method, options, showsCodes: browser != nil) {
    case .finished(let loggedIn): return await told(loggedIn)
    case .showing(let login, let conversation):
      guard let browser else { throw Self.needsBrowser }
      return try await hold(login, conversation, browser)
    case .waiting: throw Self.needsBrowser
    }
  }

  /// Where a login stands after its first part.
  enum Progress: Sendable {
    case finished(LoggedIn)
    case waiting(PendingLogin)
    case showing(DeviceWait, Conversation)
  }

  /// Logs in as far as it goes without the person.
  func start(
    _ method: LoginMethod, _ options: LoginOptions, showsCodes: Bool = false
  ) async throws(GatebookError) -> Progress {
    try await endLateLogins()
    try checkCleartext(method, options)
    if let account = options.account { try checkLiving(account) }
    if let label = options.label {
      if let account = options.account {
        try checkLabel(label, of: account)
      } else if method.person.loginName.isEmpty {
        // Who it is, the server tells: only then is it known whose the label is.
        try checkLabel(label, ofSomebodyAt: method.person.server)
      } else {
        try checkLabel(label, of: try knownAccount(method.person))
      }
    }
    // Who types the name at the server may do so in several windows.
    let isNamed = !method.person.loginName.isEmpty
    if isNamed, !loggingIn.insert(method.person).inserted { throw Self.underWay }
    defer { if isNamed { loggingIn.remove(method.person) } }
    var attempt = try await begin(method)
    attempt.isByPassword = method.password != nil
    // Before anything is sent: what the server grants is not to wait for it.
    attempt.verifier = try await offlineVerifier(for: method, of: attempt.account, options)
    let ending = await run(
      method.authenticator(), in: try await begunConversation(of: attempt, options))
    return try await settle(ending, attempt, options, showsCodes: showsCodes)
  }

  /// The conversation of a login that has begun; where there can be none, the login has failed.
  func begunConversation(
    of attempt: LoginAttempt, _ options: LoginOptions
  ) async throws(GatebookError) -> Conversation {
    do throws(GatebookError) {
      return try conversation(of: attempt, options)
    } catch {
      _ = await Task { await record(error, attempt, []) }.value
      throw failure(error)
    }
  }

  /// Records where a run stopped.
  func settle(
    _ ending: AuthenticatorRun.Ending, _ attempt: LoginAttempt, _ options: LoginOptions,
    showsCodes: Bool = false
  ) async throws(GatebookError) -> Progress {
    switch ending.result.flatMap({ Self.readable($0, showsCodes) }) {
    case .success(.finished(let outcome)):
      return .finished(try await keepGranted(outcome, attempt, ending, options))
    case .success(.shown(let code, let machine)):
      let login = DeviceWait(
        attempt: attempt, method: type(of: machine).method, code: code,
        deadline: clock.now().wall + code.lifetime, options: options, machine: machine.record)
      try await wait(login, ending.challenges)
      return .showing(login, ending.conversation)
    case .success(.opened(let page, let redirect, let machine)):
      return .waiting(
        try await wait(
          WaitingLogin(
            attempt: attempt, method: type(of: machine).method, page: page, redirect: redirect,
            deadline: clock.now().wall + options.redirectLimit, options: options,
            machine: machine.record),
          ending.challenges))
    case .failure(let error):
      // In a task of its own: a caller that was cancelled must not keep this from the log.
      _ = await Task {
        await record(
          error, attempt, ending.challenges, leaving: unclaimed(after: ending, of: attempt))
      }.value
      throw failure(error)
    }
  }

  /// A login's failure: who carries requests supposes a session that is kept, and this one had none.
  func failure(_ error: GatebookError) -> GatebookError {
    guard error.kept == GatebookError.sessionKept else { return error }
    // A book that cannot be read now may hold sessions.
    let isEmpty = (try? reader.accounts())?.isEmpty ?? false
    return error.keeping(isEmpty ? "No account was made." : "Sessions are as before.")
  }

  /// Records a success in a task of its own: a caller that was cancelled must not lose what the server
  /// has granted.
  ///
  /// - Returns: The login, of which the delegate is still to be told.
  func keepGranted(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, besides: LoginAdditions = LoginAdditions()
  ) async throws(GatebookError) -> LoggedIn {
    try await Task { () async -> Result<LoggedIn, GatebookError> in
      do throws(GatebookError) {
        return .success(try await succeed(outcome, attempt, ending, options, besides))
      } catch {
        return .failure(error)
      }
    }.value.get()
  }

  private func succeed(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, _ besides: LoginAdditions
  ) async throws(GatebookError) -> LoggedIn {
    try await rejectOthers(outcome, attempt, ending, options, waiting: besides.kept)
    let account: AccountID
    do throws(GatebookError) {
      account = try await recordGranted(outcome, attempt, ending, options, besides)
    } catch {
      // Who waited for it tells what has become of it. What the book could not take for now is in
      // doubt, and no failure: its intent stays.
      if besides.kept == nil, !attempt.isInDoubt(after: error),
        let left = unclaimed(outcome, ending.conversation, of: attempt)
      {
        await record(error, attempt, ending.challenges, leaving: left)
      }
      throw error
    }
    let context = try context(of: account)
    let isSaved = options.saveCredentials && outcome.saved.canLogInAgain
    let isKept = try hasSavedCredentials(account)
    return LoggedIn(
      context: context, news: [.response(context)] + (isSaved && isKept ? [.saved(context)] : []))
  }

  /// Records a success; the answer to an intent that is on disk must fit there too.
  private func recordGranted(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, _ besides: LoginAdditions
  ) async throws(GatebookError) -> AccountID {
    do throws(GatebookError) {
      return try await record(
        outcome, attempt, ending.challenges, options, accepted: ending.conversation.accepted,
        given: ending.conversation.given, besides: besides)
    } catch  where error.code == .storageFull && attempt.use > 0 {
      guard try store.get().reserve.release() else { throw error }
      return try await record(
        outcome, attempt, ending.challenges, options, accepted: ending.conversation.accepted,
        given: ending.conversation.given, besides: besides)
    }
  }

  /// Only a session that can be read back may begin: what no restart finds is no session.
  private static func readable(
    _ stop: AuthenticatorRun.Stop, _ showsCodes: Bool
  ) -> Result<AuthenticatorRun.Stop, GatebookError> {
    if case .shown = stop, !showsCodes { return .failure(unseen) }
    let method: String
    let isReadable: Bool
    switch stop {
    case .finished(let outcome):
      method = type(of: outcome.proof).method
      isReadable = SessionProofs.decode(method: method, record: outcome.proof.record) != nil
    case .opened(_, _, let machine), .shown(_, let machine):
      method = type(of: machine).method
      isReadable = RedirectAuthenticators.decode(method: method, record: machine.record) != nil
    }
    return isReadable ? .success(stop) : .failure(unreadable(method: method))
  }

  private static func unreadable(method: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "No restart could read a session of method \(method) back.",
      kept: "No account was made.",
      remedy: "Add the method to SessionProofs and, if it opens pages, RedirectAuthenticators.")
  }

  private static let unseen = GatebookError(
    .challengeUnhandled, "The login has a code for the person, and nobody shows it.",
    kept: "Sessions are as before.", remedy: "Give the login a browser that shows codes.")

  private static let needsBrowser = GatebookError(
    .configurationInvalid, "This method sends the person to a page of the server.",
    kept: "Nothing was sent.", remedy: "Give a browser, or begin and finish the login yourself.")

  private func knownAccount(_ person: Person) throws(GatebookError) -> AccountID? {
    guard !person.loginName.isEmpty else { return nil }
    // Where the server names nobody the name is the user's id: what others are called is no match.
    if let account = try reader.account(named: person.userParts) { return account }
    return try reader.account(named: person.nameParts)
  }

  private func begin(_ method: LoginMethod) async throws(GatebookError) -> LoginAttempt {
    let session = try newSession()
    let account = try knownAccount(method.person)
    var data: Facts = [
      "interactive": true, "method": .text(method.name),
      "server": .text(method.person.server.description),
    ]
    if account == nil, !method.person.loginName.isEmpty {
      data["name"] = .text(try reader.nameFingerprint(method.person.nameParts))
    }
    let event = ProposedEvent(
      .loginStarted, account: account, session: session, data: data,
      personal: account == nil ? nil : ["user": .text(method.person.loginName)])
    let receipt = try await commit(Append([event]))
    return LoginAttempt(
      session: session, started: receipt.first, account: account, typed: method.person)
  }

  /// Records how a login failed.
  ///
  /// - Parameters:
  ///   - error: Why.
  ///   - attempt: The login.
  ///   - challenges: What it met.
  ///   - waiting: What it had kept to go on; that ends too.
  ///   - left: What it was granted and nobody will use.
  /// - Returns: Whether the server was told of that, or will be.
  @discardableResult
  func record(
    _ error: GatebookError, _ attempt: LoginAttempt, _ challenges: [AuthenticatorRun.Challenge],
    waiting: SessionID? = nil, leaving left: UnclaimedGrant? = nil
  ) async -> Bool {
    let events = attempt.events(for: challenges, account: attempt.account)
    var append = Append(events + [attempt.failed(error)])
    append.vault = waiting.map { [.endAttempt($0)] } ?? []
    left?.queue(in: &append)
    // The login's own failure is what the caller must hear; without this event it reads as
    // "begun, never ended".
    let receipt = try? await commit(append)
    guard let left else { return false }
    return await takeBack(left, cause: receipt?[events.count])
  }

  func record(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ challenges: [AuthenticatorRun.Challenge],
    _ options: LoginOptions, accepted: [TrustException], given: [GivenCredential],
    besides: LoginAdditions
  ) async throws(GatebookError) -> AccountID {
    let success = LoginSuccess(
      outcome: outcome, attempt: attempt, challenges: challenges, options: options,
      accepted: accepted, given: given, moment: clock.now(), besides: besides)
    for _ in 0..<Self.maximumTurns {
      // Read first: what somebody writes after this fails the append.
      let known = try reader.account(named: outcome.person.userParts)
      // The login takes the place of the former session; the log is to say how that ended.
      if let known { try await recordExpiry(of: known) }
      let revision = try revision(of: known)
      if let known { try checkWanted(attempt, known) }
      do throws(GatebookError) {
        return try await record(success, known, revision)
      } catch  where error.code == .preconditionFailed {
        // Another process made or changed the account between our look and our commit. Where none
        // did, what failed is none of the account's, and fails again.
        let found = try reader.account(named: outcome.person.userParts)
        let isChanged = try self.revision(of: found) != revision
        guard found != known || isChanged else { throw error }
      }
    }
    throw Self.contended
  }

  /// A login that nobody asked for takes no place of what somebody has decided meanwhile: a logout, or
  /// another login (rules 4 and 6).
  private func checkWanted(
    _ attempt: LoginAttempt, _ account: AccountID
  ) throws(GatebookError) {
    guard let former = attempt.former else { return }
    let context = try context(of: account)
    if case .ended = context.state { throw Self.needsLogin(context) }
    guard context.session == former || !context.state.isUsable else { throw Self.underWay }
  }

  private func revision(of account: AccountID?) throws(GatebookError) -> Int64? {
    guard let account else { return nil }
    return try reader.state(of: account)?.revision ?? 0
  }

  private func hasSavedCredentials(_ account: AccountID) throws(GatebookError) -> Bool {
    try reader.secret(of: account, purpose: Purpose.credentials) != nil
  }

  private func record(
    _ success: LoginSuccess, _ known: AccountID?, _ revision: Int64?
  ) async throws(GatebookError) -> AccountID {
    let account = if let known { known } else { try newAccount() }
    let key: [UInt8]? = if known == nil { try reader.newKey(of: account) } else { nil }
    var success = success
    try tellSecrets(of: &success.outcome, account, key)
    let person = success.outcome.person
    let former = if let known { try context(of: known).user } else { UserAttributes() }
    let kept = if let known { try credentials(of: known) } else { KeptCredentials() }
    let trusted = if let known { try trust(of: known) } else { Trust.system }
    if let known {
      if let former = formerProof(of: known) {
        success.outcome.changedEndpoints = success.outcome.proof.movedEndpoints(since: former)
      }
      success = try heeding(success, of: known)
      if success.besides.leavesTrust, success.options.trust == .system {
        success.options.trust = trusted
      }
    }
    if let former = success.attempt.trusted {
      // Nobody has said again what was said at the login that saved it.
      success.options.trust = success.options.trust.without(former.keys.subtracting(trusted.keys))
      success.options.saveCredentials = try hasSavedCredentials(account)
    }
    success.verifier = OfflineVerifier.Change(
      success.attempt, mayKeep: success.options.saveCredentials,
      hasOne: try hasOfflineVerifier(account))
    var append = success.append(
      for: account, isNew: known == nil, attributes: former, kept: kept, trusted: trusted)
    if let revision {
      append.precondition = .revision(account, revision)
    } else {
      append.newAccounts = [
        Append.NewAccount(
          id: account, lookups: [try reader.lookupHash(person.userParts)], key: key)
      ]
    }
    for name in Set([person, success.attempt.typed]) where !name.loginName.isEmpty {
      // Only a password proves that a name is not the other account's any more.
      let found = try reader.account(named: name.nameParts)
      guard found == nil || found == account || success.attempt.isByPassword else { continue }
      append.lookups.append((account: account, hash: try reader.lookupHash(name.nameParts)))
    }
    if success.options.becomesCurrent, try reader.current() != account {
      append.events.append(
        try switching(to: account, cause: .proposed(success.index(of: .loginSucceeded, in: append)))
      )
    }
    try await commit(append)
    return account
  }

  /// What the account's session lives by, whose place a login takes; `nil` where it has none.
  ///
  /// Also `nil` where it cannot be read: what it would tell is not worth a login.
  private func formerProof(of account: AccountID) -> (any SessionProof)? {
    (try? reader.secret(of: account, purpose: Purpose.session)).flatMap { StoredSession($0) }?.proof
  }

  /// Adds the fingerprints that the method wants among the attributes.
  private func tellSecrets(
    of outcome: inout Outcome, _ account: AccountID, _ key: [UInt8]?
  ) throws(GatebookError) {
    guard !outcome.fingerprints.isEmpty else { return }
    var facts = outcome.attributes.facts
    for (name, secret) in outcome.fingerprints {
      facts[name] = .text(try reader.fingerprint(of: secret, for: account, key: key))
    }
    outcome.attributes = UserAttributes(facts)
  }
}
