extension SessionBook {
  /// Begins a login on a page of the server, and returns without waiting for the user.
  ///
  /// The state of the login is saved encrypted in the book before this returns: the redirect may
  /// arrive after a restart or in another process.
  ///
  /// - Parameters:
  ///   - method: A method that opens a page, such as Liferay's `.oauth2Redirect`.
  ///   - options: How to keep the session; `redirectLimit` sets how long to wait for the redirect.
  /// - Returns: The page to show.
  /// - Throws: `configuration.invalid` for a method without a page; otherwise as
  ///   ``logIn(_:options:browser:)``.
  public func beginLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> PendingLogin {
    try await logins.tellingFailure { () throws(GatebookError) in
      guard method.opensPage else { throw WaitingLogins.opensNothing }
      guard case .waiting(let login, _) = try await waiting.start(method, options) else {
        throw WaitingLogins.unknownRedirect
      }
      return login.pending(at: ledger.clock.now().wall)
    }
  }

  /// The logins that wait for the user, oldest deadline first: for a redirect, or for a code that
  /// may still be entered on another device.
  ///
  /// - Throws: A storage failure.
  public func pendingLogins() throws(GatebookError) -> [PendingLogin] {
    let now = ledger.clock.now().wall
    return try waiting.waitingLogins().filter { $0.deadline > now }.map { $0.pending(at: now) }
  }

  /// Finishes the login that a redirect belongs to.
  ///
  /// - Parameters:
  ///   - redirect: The whole URI to which the server sent the browser.
  ///   - account: The account that it must be for, if ``LoginOptions/account`` was not set when it
  ///     began; `nil` for any.
  /// - Returns: The account's context.
  /// - Throws: `state.mismatch` for a redirect that does not belong to a waiting login, or that was
  ///   already used: it is recorded (up to 16 after each login that began to wait; the end of the
  ///   next one says how many more came), and waiting logins keep waiting. `challenge.timedOut`
  ///   after the deadline; `challenge.cancelled` if the user declined; `configuration.invalid` for
  ///   an unknown account, or for another account than the login was begun for: it then keeps
  ///   waiting; `identity.mismatch` for the login of a different user: Gatebook ends it at the
  ///   server and keeps nothing of it. Otherwise the method's own failures.
  public func finishLogIn(
    redirect: String, account: AccountID? = nil
  ) async throws(GatebookError) -> SessionContext {
    if let account { try ledger.checkLiving(account) }
    // A redirect of nobody ends no login: there is nothing to tell the delegate.
    let found = try await waiting.waitingLogin(for: redirect)
    return try await waiting.finishAndTell(try found.login.of(account), with: found.fields)
  }

  /// Finishes a login with the code that the server showed to the user (`oob`).
  ///
  /// - Parameters:
  ///   - login: The login that waits.
  ///   - code: The code that the user typed.
  /// - Returns: The account's context.
  /// - Throws: As ``finishLogIn(redirect:account:)``.
  public func finishLogIn(
    _ login: SessionID, code: Secret
  ) async throws(GatebookError) -> SessionContext {
    guard let found = try waiting.waitingLogin(login), let redirect = found.redirect else {
      throw WaitingLogins.unknownRedirect
    }
    let text = code.withBytes { String(decoding: $0, as: UTF8.self) }
    let fields = FormFields([
      .init(redirect.key, redirect.value),
      .init(redirect.codeName, text),
    ])
    return try await waiting.finishAndTell(found, with: fields)
  }

  /// Cancels a waiting login; its secrets are destroyed.
  ///
  /// - Returns: Whether it was still waiting.
  /// - Throws: A storage failure.
  @discardableResult
  public func cancelLogIn(_ login: SessionID) async throws(GatebookError) -> Bool {
    try await waiting.cancelLogIn(login)
  }

  /// Continues a login with a code for another device, after a restart or in parallel to another
  /// process.
  ///
  /// It asks the server until the user allowed the login, the code expired, or somebody cancelled
  /// the login. The first process that receives the grant records it, and the others return it.
  ///
  /// - Parameters:
  ///   - login: The waiting login, from ``pendingLogins()``.
  ///   - account: The account that it must be for, if ``LoginOptions/account`` was not set when it
  ///     began; `nil` for any.
  ///   - browser: Shows the code again; `nil` if it is already shown.
  /// - Returns: The account's context.
  /// - Throws: `state.mismatch` if no such login is waiting. `challenge.timedOut` if the code
  ///   expired, and `challenge.cancelled` if the user declined. `configuration.invalid` for an
  ///   unknown account, or for another account than the login was begun for: the login then keeps
  ///   waiting. Otherwise the errors of ``logIn(_:options:browser:)``.
  public func resumeLogIn(
    _ login: SessionID, account: AccountID? = nil, browser: (any Browser)? = nil
  ) async throws(GatebookError) -> SessionContext {
    if let account { try ledger.checkLiving(account) }
    guard let found = try waiting.waitingLogin(login), found.redirect == nil else {
      throw WaitingLogins.unknownCode
    }
    let meant = try found.of(account)
    return try await logins.tellingFailure { () throws(GatebookError) in
      let permitted = try waiting.droppingRevokedPermissions(meant)
      return try await waiting.hold(
        permitted, try await logins.begunConversation(of: permitted.attempt, permitted.options),
        browser)
    }
  }

  /// Logs a user in; the same user at the same server is the same account again.
  ///
  /// Until the login has succeeded, only the log changes: an existing session is unchanged if the
  /// login fails. On success, secrets, events and states are on disk before this returns.
  ///
  /// - Parameters:
  ///   - method: How to log in, such as `.http(url:user:password:)`.
  ///   - options: The options of the login.
  ///   - browser: Shows the server's page, or the code for another device, to the user; only for
  ///     methods that have one. Without it, use ``beginLogIn(_:options:)`` and
  ///     ``finishLogIn(redirect:account:)``.
  /// - Returns: The account's context.
  /// - Throws: `configuration.invalid` for a label of another account. If that shows only after the
  ///   server named the user, Gatebook also revokes what the server granted. `identity.mismatch`
  ///   for a different user than that of ``LoginOptions/account``. `challenge.timedOut` if no
  ///   redirect came. The method's own failures, such as `credentials.refused` and
  ///   `login.unprovable`. `login.cleartext`, `login.inProgress`, `network.unreachable`, or a
  ///   storage failure.
  public func logIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions(), browser: (any Browser)? = nil
  ) async throws(GatebookError) -> SessionContext {
    try await logins.tellingFailure { () throws(GatebookError) in
      try await waiting.logIn(method, options, browser)
    }
  }

  /// Sets the delegate that is called when logins end.
  ///
  /// - Parameter delegate: The book keeps it alive; `nil` for none.
  public func setLoginDelegate(_ delegate: (any LoginDelegate)?) {
    logins.loginDelegate = delegate
  }

  /// Refuses a login that cannot succeed with any password, before the user types one; nothing is
  /// sent.
  ///
  /// - Parameters:
  ///   - method: How to log in, with any text instead of each secret.
  ///   - options: The options of the login.
  /// - Throws: `login.cleartext`, or `configuration.invalid` for what the method itself refuses,
  ///   such as a user name that HTTP Basic cannot carry.
  public static func checkLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try Logins.checkCleartext(method, options)
    // A machine is a value: what this one would send is dropped.
    var machine = method.authenticator()
    let start = Input(
      .start, at: SystemClock().now(), random: [UInt8](repeating: 0, count: 64))
    _ = try machine.next(start)
  }

  /// Refuses a login that cannot succeed with any password in this book, before the user types one;
  /// nothing is sent.
  ///
  /// - Parameters:
  ///   - method: How to log in, with any text instead of each secret.
  ///   - options: The options of the login.
  /// - Throws: `login.cleartext`, or `configuration.invalid` for what the method itself refuses,
  ///   for an account that is unknown or erased, and for a label that is another account's.
  public func checkLogIn(
    _ method: LoginMethod, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try Self.checkLogIn(method, options: options)
    try logins.checkNames(method, options)
  }

  /// Refuses a login at a MobileFirst server that cannot succeed with any answer; nothing is sent.
  ///
  /// - Parameters:
  ///   - app: The app as the server knows it.
  ///   - options: How logins are made and kept.
  /// - Throws: `login.cleartext`, or `configuration.invalid` for settings that contradict each
  ///   other.
  public static func checkLogIn(
    _ app: MobileFirstApp, options: LoginOptions = LoginOptions()
  ) throws(GatebookError) {
    try Logins.checkCleartext(app.origins + options.origins, options)
    try app.check()
  }
}

extension SessionBook {
  /// Logs a user in with the two options that most apps need.
  ///
  /// ```swift
  /// let ada = try await book.logIn(method, label: "work", saving: true)
  /// ```
  ///
  /// It is ``logIn(_:options:browser:)`` with a label, and with or without saved credentials.
  ///
  /// - Parameters:
  ///   - method: How to log in, such as `.http(url:user:password:)`.
  ///   - label: A label for the account, if it has none; `nil` for none.
  ///   - isSaving: Whether Gatebook saves credentials to log in again automatically, also after a
  ///     logout: see ``LoginOptions/saveCredentials``.
  ///   - browser: Shows the server's page, or the code for another device, to the user; only for
  ///     methods that have one.
  /// - Returns: The account's context.
  /// - Throws: What ``logIn(_:options:browser:)`` throws.
  public func logIn(
    _ method: LoginMethod, label: String?, saving isSaving: Bool = false,
    browser: (any Browser)? = nil
  ) async throws(GatebookError) -> SessionContext {
    try await logIn(
      method, options: LoginOptions(label: label, saveCredentials: isSaving), browser: browser)
  }
}
