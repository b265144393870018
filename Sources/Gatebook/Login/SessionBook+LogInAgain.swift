extension SessionBook {
  /// Logs an account in again with the credentials that it saved; nobody is asked.
  ///
  /// Only what the person allowed by `saveCredentials` is used, also after a logout.
  ///
  /// - Parameter account: The account.
  /// - Returns: Its context, with a new session.
  /// - Throws: `session.refused` when nothing was saved, or when what was saved cannot log in by
  ///   itself; else as ``logIn(_:options:browser:)``. A refusal leaves the saved credentials as they
  ///   are.
  @discardableResult
  public func logInAgain(_ account: AccountID) async throws(GatebookError) -> SessionContext {
    do throws(GatebookError) {
      return try await logInSilently(account)
    } catch {
      await loginDelegate?.onLoginError(error)
      throw error
    }
  }

  private func logInSilently(_ account: AccountID) async throws(GatebookError) -> SessionContext {
    // What was saved may be a token that is good for one use: over all processes one uses it.
    let seen = try context(of: account).session
    let lock = try await takeLock(toLogIn: account)
    defer { withExtendedLifetime(lock) {} }
    let context = try context(of: account)
    // Somebody logged in while we waited: that session is ours too.
    if context.session != seen, context.state.isUsable { return context }
    // Read first: what is taken back after this is taken from what was saved too.
    let trusted = try trust(of: account)
    var known = try savedSession(of: account)
    if known == nil { known = try refusedSession(of: account) }
    guard let saved = known else { throw Self.nothingSaved }
    let person = try person(of: context, saved.proof.origin)
    guard loggingIn.insert(person).inserted else { throw Self.underWay }
    defer { loggingIn.remove(person) }
    var attempt = try await beginSilently(context, saved, person)
    attempt.trusted = trusted
    var options = LoginOptions()
    options.account = account
    options.saveCredentials = true
    options.origins = saved.origins
    options.trust = saved.trust
    options.allowsCleartext = saved.proof.origin.isCleartext
    options.becomesCurrent = false
    // What proves a session without its jar is a login: Basic, Digest, signatures.
    let jar = CookieJar()
    let machine = saved.proof.renewal(jar: jar) ?? saved.proof.verification(jar: jar)
    let ending = await run(machine, in: try await begunConversation(of: attempt, options))
    guard case .finished(let context) = try await settle(ending, attempt, options) else {
      throw Self.nothingSaved
    }
    return context
  }

  /// Waits until nobody else renews the account, or logs it in again.
  private func takeLock(toLogIn account: AccountID) async throws(GatebookError) -> AccountLock {
    let deadline = clock.now().boot + wait
    while true {
      if let lock = try reader.takeLock(of: account) { return lock }
      guard clock.now().boot < deadline, !Task.isCancelled else {
        throw GatebookError(
          .storageBusy, "Another process logs this account in for longer than we may wait.",
          kept: "The account and what it saved are kept.", remedy: "Try again.")
      }
      try? await Task.sleep(for: .milliseconds(20))
    }
  }

  /// What was refused without a word: by hand it may be tried again.
  private func refusedSession(of account: AccountID) throws(GatebookError) -> StoredSession? {
    try reader.secret(of: account, purpose: Purpose.refused).flatMap { StoredSession($0) }
  }

  private func beginSilently(
    _ context: SessionContext, _ saved: StoredSession, _ person: Person
  ) async throws(GatebookError) -> LoginAttempt {
    let session = try newSession()
    let receipt = try await commit(
      Append([
        ProposedEvent(
          .loginStarted, account: context.account, session: session,
          cause: .recorded(context.position),
          data: [
            "interactive": false, "method": .text(type(of: saved.proof).method),
            "server": .text(saved.proof.origin.description),
          ],
          personal: ["user": .text(person.loginName)]),
        ProposedEvent(
          .credentialsLoaded, account: context.account, session: session, cause: .proposed(0),
          data: ["purpose": "login"]),
      ]))
    return LoginAttempt(
      session: session, started: receipt.first, account: context.account, typed: person)
  }

  /// The person of an account, as its last login recorded it.
  private func person(
    of context: SessionContext, _ server: Origin
  ) throws(GatebookError) -> Person {
    guard let state = try reader.state(of: context.account),
      case .known(let facts)? = try reader.event(at: state.person)?.personal,
      let name = facts["user"]?.text, let userID = facts["userID"]?.text,
      let tenant = facts["tenant"]?.text
    else { throw Self.nothingSaved }
    return Person(
      family: String(context.method.prefix { $0 != "-" }), server: server, tenant: tenant,
      userID: userID, loginName: name)
  }

  private static let nothingSaved = GatebookError(
    .sessionRefused, "The account has saved nothing that could log it in again.",
    kept: "The account, its attributes and its history are kept.", remedy: "Log in.")

  static let underWay = GatebookError(
    .loginInProgress, "A login of this user is under way already.",
    remedy: "Wait for it to end.")
}
