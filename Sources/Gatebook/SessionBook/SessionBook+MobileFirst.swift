extension SessionBook {
  /// The authorization manager of an account at a MobileFirst server, or one that begins without an
  /// account.
  ///
  /// Two calls for the same account return the same manager while it is in use; it then takes the
  /// newer settings.
  ///
  /// - Parameters:
  ///   - app: The app as it is registered at the server.
  ///   - account: A known account; its client registration is used. `nil` starts without an
  ///     account: it is found or made when a check names its user.
  ///   - options: How logins are made and kept. Answers are never kept, so `saveCredentials` is
  ///     refused; remembering a user is the server's affair. With the trust `system`, the
  ///     account's own trust continues to apply.
  /// - Returns: The manager; no request was sent yet.
  /// - Throws: `login.cleartext` for a server without TLS that is neither this machine nor allowed;
  ///   `configuration.invalid` for settings that cannot work or an account of another method.
  public func authorizationManager(
    for app: MobileFirstApp, account: AccountID? = nil, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> AuthorizationManager {
    try await authorizationManager(
      for: app, account: account, options: options, makeKey: { RSAKey.generate() })
  }

  /// The authorization manager of the account at which a name logged in before, or one that begins
  /// without an account.
  ///
  /// - Parameters:
  ///   - app: The app as it is registered at the server.
  ///   - user: The name that will be typed, or the server's id of the user.
  ///   - options: How logins are made and kept.
  /// - Returns: The manager; no request was sent yet. If the name turns out to be another user's
  ///   now, its login fails with `identity.mismatch`.
  /// - Throws: As ``authorizationManager(for:account:options:)``.
  public func authorizationManager(
    for app: MobileFirstApp, user: String, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> AuthorizationManager {
    let person = app.person(user, loginName: user)
    var account = try ledger.reader.account(ofName: person)
    if account == nil { account = try ledger.reader.account(ofUser: person) }
    return try await authorizationManager(for: app, account: account, options: options)
  }

  /// The authorization manager of an account, with the settings of its last registration.
  ///
  /// - Parameter account: An account of the method `mobilefirst`.
  /// - Returns: The manager; no request was sent yet.
  /// - Throws: `configuration.invalid` for an account of another method.
  public func authorizationManager(
    of account: AccountID
  ) async throws(GatebookError) -> AuthorizationManager {
    if let known = authorizations.managers[account]?.manager { return known }
    guard let registration = try registration(of: account) else {
      throw Authorizations.otherMethod
    }
    var options = LoginOptions()
    // Their login was allowed, which the log says; a permission for others was never given.
    options.allowsCleartext = registration.app.origins.contains(where: \.isCleartext)
    if let session = try? ledger.openSession(of: account) {
      options.origins = session.stored.origins
    }
    return try await manager(
      for: registration.app, account: account, options: options, makeKey: { RSAKey.generate() })
  }

  /// As ``authorizationManager(for:account:options:)``, with another maker of key pairs.
  package func authorizationManager(
    for app: MobileFirstApp, account: AccountID?, options: LoginOptions,
    makeKey: @escaping @Sendable () -> RSAKey
  ) async throws(GatebookError) -> AuthorizationManager {
    try Logins.checkCleartext(app.origins + options.origins, options)
    return try await manager(for: app, account: account, options: options, makeKey: makeKey)
  }

  /// A live token out of the account's session; nothing is sent.
  package func liveToken(
    for scope: AuthorizationScope, of account: AccountID?
  ) throws(GatebookError) -> AccessToken? {
    guard let account else { return nil }
    return try authorizationSession(of: account)?.1.token(for: scope, at: ledger.clock.now())
  }
}
