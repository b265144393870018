extension SessionBook {
  /// The stronger login that a server demanded before it accepts a request; `nil` if none is open.
  ///
  /// It stays open until the account logs in again or its session ends; the session continues
  /// unchanged. In the log and in ``SessionContext/openChallenges`` it is the challenge `step-up`.
  ///
  /// - Parameter account: The account.
  /// - Returns: The demand.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  public func demandedStepUp(of account: AccountID) throws(GatebookError) -> StepUp? {
    try requests.demandedStepUp(of: account)
  }

  /// The login that satisfies a server's demand: the account's own method, on a login page, with
  /// the demanded scopes and strength.
  ///
  /// Use it with ``logIn(_:options:browser:)`` or ``beginLogIn(_:options:)``. The result must
  /// satisfy the demand and belong to the account's own user, otherwise it is rejected; until it
  /// has succeeded, the session continues unchanged.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - demand: The demand; `nil` for what the server demanded last.
  ///   - redirectURI: Where the server sends the browser back to.
  /// - Returns: The method, and the options of the account's login.
  /// - Throws: `session.refused` without a usable session. `configuration.invalid` if nothing was
  ///   demanded, if the server did not say what it demands, and for methods without a login page.
  ///   `login.unprovable` if nothing could prove the login.
  ///
  /// Source: RFC 9470 section 4.
  public func stepUpLogin(
    of account: AccountID, to demand: StepUp? = nil, redirectURI: String
  ) async throws(GatebookError) -> (method: LoginMethod, options: LoginOptions) {
    try await requests.stepUpLogin(of: account, to: demand, redirectURI: redirectURI)
  }

  /// A valid access token of an account, for apps that send their own requests.
  ///
  /// A token that is about to expire is renewed first; so is one that is valid for a shorter time
  /// than requested, but only once. A new token is saved on disk before it is returned.
  ///
  /// - Parameters:
  ///   - account: The account; `nil` means the current one.
  ///   - minimumLifetime: How long it must still be valid.
  ///   - scopes: The scopes that it must have. If the server never said what it granted, they count
  ///     as granted.
  /// - Returns: The token. If the server does not say how long it is valid, it may expire at any
  ///   time.
  /// - Throws: `session.refused` when only a login helps. `configuration.invalid` for a method
  ///   without tokens, and for a token that is bound to the account's key (use ``send(_:as:)``).
  ///   `configuration.invalid` also if the server's tokens are valid for a shorter time than
  ///   requested; the new token is kept. `scope.missing` with the scopes that were not granted; the
  ///   tokens are kept. Otherwise an error that says why the server did not answer; the session is
  ///   kept.
  public func token(
    for account: AccountID? = nil, minimumLifetime: Duration = .zero, scopes: [String] = []
  ) async throws(GatebookError) -> BearerToken {
    try await requests.token(for: account, minimumLifetime: minimumLifetime, scopes: scopes)
  }

  /// The password or access token that another program, such as `git`, sends to a URL in an
  /// account's name.
  ///
  /// A session is renewed first as for ``token(for:minimumLifetime:scopes:)``. Hand the secret to
  /// the program by a pipe, and report what the server said of it with ``reportAccepted(_:of:by:)``
  /// or ``reportRejected(_:of:by:)``.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - url: Where the program sends it: of one of the account's own origins. A URL with the path
  ///     `/` stands for the whole server.
  ///   - realm: The realm of the server's 401; `nil` if the program does not say.
  /// - Returns: The credential.
  /// - Throws: `origin.foreign`, with nothing handed out. `configuration.invalid` for a method
  ///   without password and token, and for a token that is bound to the account's key.
  ///   `configuration.invalid` also if the password does not belong to that part of the server or
  ///   to that realm. Otherwise as ``token(for:minimumLifetime:scopes:)``.
  public func credential(
    of account: AccountID, for url: HTTPURL, realm: String? = nil
  ) async throws(GatebookError) -> ProgramCredential {
    try await requests.credential(of: account, for: url, realm: realm)
  }

  /// Records that a server accepted a credential of ``credential(of:for:realm:)``.
  ///
  /// It is recorded at most once an hour for each session and program, and not at all of a
  /// credential that the session no longer uses.
  ///
  /// - Parameters:
  ///   - secret: What the program sent.
  ///   - account: The account.
  ///   - program: The program, such as `git`; recorded in the clear.
  /// - Throws: Storage failures.
  public func reportAccepted(
    _ secret: Secret, of account: AccountID, by program: String
  ) async throws(GatebookError) {
    try await requests.reportAccepted(secret, of: account, by: program)
  }

  /// Records that a server rejected a credential of ``credential(of:for:realm:)``, and asks the
  /// server about the session.
  ///
  /// A session with a refresh token is renewed, any other is checked, at most once a minute. Only
  /// the server's own answer to that can end the session, never the report. A credential that the
  /// session no longer uses is recorded alone.
  ///
  /// - Parameters:
  ///   - secret: What the program sent.
  ///   - account: The account.
  ///   - program: The program, such as `git`; recorded in the clear.
  /// - Throws: `session.refused` if the session has ended by the server's answer; otherwise why the
  ///   server did not answer, with the session kept.
  public func reportRejected(
    _ secret: Secret, of account: AccountID, by program: String
  ) async throws(GatebookError) {
    try await requests.reportRejected(secret, of: account, by: program)
  }

  /// Records that a program asked to forget an account's credential, and asks the server about the
  /// session.
  ///
  /// The session is kept unless the server's answer ends it: see ``reportRejected(_:of:by:)``.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - program: The program, such as `docker`; recorded in the clear.
  /// - Throws: As ``reportRejected(_:of:by:)``.
  public func reportRemoved(
    of account: AccountID, by program: String
  ) async throws(GatebookError) {
    try await requests.reportRemoved(of: account, by: program)
  }

  /// Sends an app's request as an account.
  ///
  /// A resumed session is first verified with the server, if the method supports that. A session
  /// that is about to expire is renewed, or logged in again with saved credentials. If the server
  /// rejects the request, Gatebook renews the session once, or checks that it is still valid and
  /// otherwise logs in with saved credentials. It then sends the request once more and returns that
  /// answer to the caller. GET and HEAD follow at most 10 redirects within the account's own
  /// origins; a redirect elsewhere is returned as it is. An answer that demands a stronger login or
  /// more scopes is returned to the caller, and the session is kept: see ``demandedStepUp(of:)``.
  ///
  /// A body can be streamed: see ``HTTPRequest/source`` and ``HTTPRequest/sink``. A body of at most
  /// 1 MiB is read into memory. A longer one whose source can be read only once is sent only after
  /// the server has confirmed the session, if the method supports that. It is never sent a second
  /// time, and a 401 goes to the caller. Some methods first read the body into memory, at most 64
  /// MiB: MobileFirst, OAuth 1.0a for forms, and Digest; Basic too, unless the server is known to
  /// want it at the request's URL.
  ///
  /// - Parameters:
  ///   - request: The request; its URL must be of one of the account's own origins.
  ///   - account: The account; `nil` means the current one.
  /// - Returns: The server's answer with any status.
  /// - Throws: `origin.foreign` before anything is sent. `session.refused` when only a login helps,
  ///   also because the server has not confirmed the session for too long
  ///   (``LoginOptions/offlineLimit``). `network.unreachable` and `server.unavailable` with the
  ///   session kept; `limit.exceeded`.
  public func send(
    _ request: HTTPRequest, as account: AccountID? = nil
  ) async throws(GatebookError) -> HTTPReply {
    let account = if let account { account } else { try ledger.requireCurrent() }
    if let reply = try await requests.send(request, as: account) { return reply }
    // Its requests go through its manager.
    let reply = try await authorizationManager(of: account).send(request)
    await requests.recordRefusal(reply, of: account)
    return try request.handingOver(reply)
  }

  /// The accounts whose credentials go to a URL: that logged in there, or were allowed to.
  ///
  /// - Parameter url: The URL.
  /// - Returns: Accounts that nobody has erased, in their order.
  /// - Throws: Storage failures.
  package func accounts(at url: HTTPURL) throws(GatebookError) -> [SessionContext] {
    try requests.accounts(at: url)
  }
}

extension SessionBook {
  /// Records that other programs can send requests as an account, through a proxy.
  ///
  /// - Parameters:
  ///   - started: Where, and with which limits.
  ///   - personal: What only who has the key may see.
  ///   - account: The account.
  /// - Returns: Where that is recorded: what the proxy does later names it as its cause.
  /// - Throws: `session.refused` without a session, and storage failures.
  @discardableResult
  package func recordProxy(
    _ started: ProxyStarted, _ personal: ProxyStarted.Personal, of account: AccountID
  ) async throws(GatebookError) -> Position? {
    try await requests.recordProxy(started, personal, of: account)
  }

  /// Records which programs have used a proxy, or that it has ended.
  ///
  /// - Parameters:
  ///   - use: What was not recorded before.
  ///   - run: Where the beginning of the run is recorded; `nil` where it is not.
  ///   - isEnd: Whether the proxy has ended.
  ///   - account: The account; its session may have ended.
  /// - Throws: Storage failures; nothing is recorded then.
  package func recordUse(
    _ use: ProxyUse, since run: Position?, isEnd: Bool, of account: AccountID
  ) async throws(GatebookError) {
    try await requests.recordUse(use, since: run, isEnd: isEnd, of: account)
  }

  /// Records that a proxy did not forward a request; does nothing where that cannot be recorded.
  ///
  /// - Parameters:
  ///   - refused: Why, and whose request it was.
  ///   - account: The account.
  package func recordRefusal(_ refused: ProxyRefused, of account: AccountID) async {
    await requests.recordRefusal(refused, of: account)
  }
}
