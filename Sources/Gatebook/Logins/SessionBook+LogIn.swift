extension SessionBook {
  /// Logs a user in; the same user at the same server is the same account again.
  ///
  /// Until the login has succeeded, only the log changes: an existing session is unchanged if the login fails.
  /// On success, secrets, events and states are on disk before this returns.
  ///
  /// - Parameters:
  ///   - method: How to log in, such as `.http(url:user:password:)`.
  ///   - options: The options of the login.
  ///   - browser: Shows the server's page, or the code for another device, to the user; only for methods that
  ///     have one. Without it, use ``beginLogIn(_:options:)`` and ``finishLogIn(redirect:account:)``.
  /// - Returns: The account's context.
  /// - Throws: `configuration.invalid` for a label of another account. If that shows only after the server
  ///   named the user, Gatebook also revokes what the server granted. `identity.mismatch` for a different user
  ///   than that of ``LoginOptions/account``. `challenge.timedOut` if no redirect came. The method's own
  ///   failures, such as `credentials.refused` and `login.unprovable`. `login.cleartext`, `login.inProgress`,
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

  /// Sets the delegate that is called when logins end.
  ///
  /// - Parameter delegate: The book keeps it alive; `nil` for none.
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
    try Self.checkCleartext(method, options)
    try checkNames(method, options)
    // Who types the name at the server may do so in several windows.
    let isNamed = !method.person.loginName.isEmpty
    if isNamed, !loggingIn.insert(method.person).inserted { throw Self.underWay }
    defer { if isNamed { loggingIn.remove(method.person) } }
    var attempt = try await begin(method, of: options.account)
    attempt.isByPassword = method.password != nil
    attempt.settings = SavedSettings.record(method.name, method.settings, options)
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
    return error.keeping(isEmpty ? "No account was made." : "No session was changed.")
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
      .configurationInvalid,
      "A session of the method `\(method)` could not be read after a restart.",
      kept: "No account was made.",
      remedy:
        "Use a login method of Gatebook.")
  }

  private static let unseen = GatebookError(
    .challengeUnhandled, "The login has a code for the user, but no browser can show it.",
    kept: "No session was changed.", remedy: "Pass a `Browser` that implements `show(_:)`.")

  private static let needsBrowser = GatebookError(
    .configurationInvalid, "This login method opens a page of the server and needs a browser.",
    kept: "Nothing was sent.",
    remedy:
      "Pass a `Browser`, or use `SessionBook.beginLogIn` and `SessionBook.finishLogIn`.")

  func knownAccount(_ person: Person) throws(GatebookError) -> AccountID? {
    guard !person.loginName.isEmpty else { return nil }
    // Where the server names nobody the name is the user's id: what others are called is no match.
    if let account = try reader.account(ofUser: person) { return account }
    return try reader.account(ofName: person)
  }

  private func begin(
    _ method: LoginMethod, of required: AccountID?
  ) async throws(GatebookError) -> LoginAttempt {
    let session = try newSession()
    let person = method.person
    let account = try knownAccount(person)
    var attempt = LoginAttempt(
      session: session, started: .start, account: account, required: required, typed: person)
    var login = LoginStarted(
      isInteractive: true, method: method.name, server: person.server.description)
    var personal: LoginStarted.Personal?
    if !person.loginName.isEmpty {
      // What another user is called is none of the account's personal facts.
      if account == nil || account != attempt.stream {
        login.name = try nameFingerprint(of: person)
      } else {
        personal = LoginStarted.Personal(user: person.loginName)
      }
    }
    let event = ProposedEvent(
      login, account: attempt.stream, session: session, personal: personal?.facts)
    let receipt = try await commit(Append([event]))
    attempt.started = receipt.first
    return attempt
  }
}
