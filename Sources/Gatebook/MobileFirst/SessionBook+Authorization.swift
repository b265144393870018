extension SessionBook {
  /// The authorization manager of an account at a MobileFirst server, or one that begins without an
  /// account.
  ///
  /// Two calls for the same account return the same manager while it is in use; it then takes the newer
  /// settings.
  ///
  /// - Parameters:
  ///   - app: The app as it is registered at the server.
  ///   - account: A known account; its client registration is used. `nil` starts without an account:
  ///     it is found or made when a check names its user.
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
    var account = try reader.account(ofName: person)
    if account == nil { account = try reader.account(ofUser: person) }
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
    if let known = authorizations[account]?.manager { return known }
    guard let registration = try registration(of: account) else { throw Self.otherMethod }
    var options = LoginOptions()
    // Their login was allowed, which the log says; a permission for others was never given.
    options.allowsCleartext = registration.app.origins.contains(where: \.isCleartext)
    if let session = try? openSession(of: account) { options.origins = session.stored.origins }
    return try await manager(
      for: registration.app, account: account, options: options, makeKey: { RSAKey.generate() })
  }

  /// As ``authorizationManager(for:account:options:)``, with another maker of key pairs.
  package func authorizationManager(
    for app: MobileFirstApp, account: AccountID?, options: LoginOptions,
    makeKey: @escaping @Sendable () -> RSAKey
  ) async throws(GatebookError) -> AuthorizationManager {
    try Self.checkCleartext(app.origins + options.origins, options)
    return try await manager(for: app, account: account, options: options, makeKey: makeKey)
  }

  private func manager(
    for app: MobileFirstApp, account: AccountID?, options: LoginOptions,
    makeKey: @escaping @Sendable () -> RSAKey
  ) async throws(GatebookError) -> AuthorizationManager {
    try app.check()
    let known = account ?? options.account
    guard options.account == nil || options.account == known else { throw Self.otherAccount }
    guard !options.saveCredentials else { throw Self.savesNothing }
    if let label = options.label { try checkLabel(label, of: known) }
    let since = Position(rawValue: try reader.head().size)
    guard let account = known else {
      return AuthorizationManager(
        book: self, app: app, account: nil, options: options, since: since, makeKey: makeKey)
    }
    let context = try context(of: account)
    guard context.method == MobileFirstProof.method else { throw Self.otherMethod }
    guard context.server == app.server.origin.description,
      try registration(of: account)?.app.applicationID ?? app.applicationID == app.applicationID
    else { throw Self.otherApp }
    if let manager = authorizations[account]?.manager {
      await manager.adopt(app)
      return manager
    }
    let manager = AuthorizationManager(
      book: self, app: app, account: account, options: options, since: since, makeKey: makeKey,
      resourceScopes: authorizations[account]?.resourceScopes ?? [:])
    adopt(manager, for: account)
    return manager
  }

  /// Remembers which manager serves an account, without keeping it alive.
  func adopt(_ manager: AuthorizationManager, for account: AccountID) {
    authorizations[account, default: WeakAuthorization()].manager = manager
  }

  /// Remembers the scope that a resource asked for, for managers to come.
  func remember(_ scope: String, for resource: String, of account: AccountID) {
    authorizations[account, default: WeakAuthorization()].resourceScopes[resource] = scope
  }

  /// Refuses servers to which passwords and tokens would go readable by everybody on the way.
  static func checkCleartext(
    _ origins: [Origin], _ options: LoginOptions
  ) throws(GatebookError) {
    guard !options.allowsCleartext, let origin = origins.first(where: \.isCleartext) else { return }
    throw GatebookError(
      .loginCleartext, "Passwords and tokens would be sent to \(origin) without TLS.",
      kept: "Nothing was sent.",
      remedy: "Use https, or allow it with `LoginOptions.allowsCleartext`; this is recorded.")
  }

  private static let savesNothing = GatebookError(
    .configurationInvalid, "Gatebook never saves answers to security checks.",
    kept: "Nothing was sent.", remedy: "Let the server remember the user, with `rememberMe`.")

  private static let otherAccount = GatebookError(
    .configurationInvalid, "The options name another account.", kept: "Nothing was sent.",
    remedy: "Name one account.")

  private static let otherApp = GatebookError(
    .configurationInvalid, "The account belongs to another server or application.",
    kept: "Nothing was sent.", remedy: "Name another account, or none.")

  private static let otherMethod = GatebookError(
    .configurationInvalid, "The account does not use the method `mobilefirst`.",
    kept: "Nothing was sent.", remedy: "Name another account, or none.")
}

/// The manager that serves an account, as long as anybody else holds it.
struct WeakAuthorization {
  weak var manager: AuthorizationManager?
  /// The scopes that resources have asked for, by method and URL.
  var resourceScopes: [String: String] = [:]
}

extension AuthorizationManager {
  /// Takes newer settings; the server is told with the next flow.
  func adopt(_ app: MobileFirstApp) {
    self.app = app
  }
}
