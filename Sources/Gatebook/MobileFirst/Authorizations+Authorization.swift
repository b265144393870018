extension Authorizations {
  /// The authorization manager of an account at a MobileFirst server, or one that begins without an
  /// account.
  func authorizationManager(
    for app: MobileFirstApp, account: AccountID? = nil, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> AuthorizationManager {
    try await authorizationManager(
      for: app, account: account, options: options, makeKey: { RSAKey.generate() })
  }

  /// The authorization manager of the account at which a name logged in before, or one that begins
  /// without an account.
  func authorizationManager(
    for app: MobileFirstApp, user: String, options: LoginOptions = LoginOptions()
  ) async throws(GatebookError) -> AuthorizationManager {
    let person = app.person(user, loginName: user)
    var account = try ledger.reader.account(ofName: person)
    if account == nil { account = try ledger.reader.account(ofUser: person) }
    return try await authorizationManager(for: app, account: account, options: options)
  }

  /// The authorization manager of an account, with the settings of its last registration.
  func authorizationManager(
    of account: AccountID
  ) async throws(GatebookError) -> AuthorizationManager {
    if let known = managers[account]?.manager { return known }
    guard let registration = try registration(of: account) else { throw Self.otherMethod }
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
  func authorizationManager(
    for app: MobileFirstApp, account: AccountID?, options: LoginOptions,
    makeKey: @escaping @Sendable () -> RSAKey
  ) async throws(GatebookError) -> AuthorizationManager {
    try Logins.checkCleartext(app.origins + options.origins, options)
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
    if let label = options.label { try ledger.checkLabel(label, of: known) }
    let since = Position(rawValue: try ledger.reader.head().size)
    guard let account = known else {
      return AuthorizationManager(
        book: host, app: app, account: nil, options: options, since: since, makeKey: makeKey)
    }
    let context = try ledger.context(of: account)
    guard context.method == MobileFirstProof.method else { throw Self.otherMethod }
    guard context.server == app.server.origin.description,
      try registration(of: account)?.app.applicationID ?? app.applicationID == app.applicationID
    else { throw Self.otherApp }
    if let manager = managers[account]?.manager {
      await manager.adopt(app)
      return manager
    }
    let manager = AuthorizationManager(
      book: host, app: app, account: account, options: options, since: since, makeKey: makeKey,
      resourceScopes: managers[account]?.resourceScopes ?? [:])
    adopt(manager, for: account)
    return manager
  }

  /// Remembers which manager serves an account, without keeping it alive.
  func adopt(_ manager: AuthorizationManager, for account: AccountID) {
    managers[account, default: WeakAuthorization()].manager = manager
  }

  /// Remembers the scope that a resource asked for, for managers to come.
  func remember(_ scope: String, for resource: String, of account: AccountID) {
    managers[account, default: WeakAuthorization()].resourceScopes[resource] = scope
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
