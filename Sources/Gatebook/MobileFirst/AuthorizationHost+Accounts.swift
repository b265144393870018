extension AuthorizationHost {
  /// The manager of an account, or a new one.
  func manager(
    for app: MobileFirstApp, account: AccountID?, options: LoginOptions,
    makeKey: @escaping @Sendable () -> RSAKey
  ) async throws(GatebookError) -> AuthorizationManager {
    try app.check()
    let known = account ?? options.account
    guard options.account == nil || options.account == known else {
      throw Authorizations.otherAccount
    }
    guard !options.saveCredentials else { throw Authorizations.savesNothing }
    if let label = options.label { try ledger.checkLabel(label, of: known) }
    let since = Position(rawValue: try ledger.reader.head().size)
    guard let account = known else {
      return AuthorizationManager(
        book: self, app: app, account: nil, options: options, since: since, makeKey: makeKey)
    }
    let context = try ledger.context(of: account)
    guard context.method == MobileFirstProof.method else { throw Authorizations.otherMethod }
    guard context.server == app.server.origin.description,
      try registration(of: account)?.app.applicationID ?? app.applicationID == app.applicationID
    else { throw Authorizations.otherApp }
    if let manager = authorizations.managers[account]?.manager {
      await manager.adopt(app)
      return manager
    }
    let manager = AuthorizationManager(
      book: self, app: app, account: account, options: options, since: since, makeKey: makeKey,
      resourceScopes: authorizations.managers[account]?.resourceScopes ?? [:])
    adopt(manager, for: account)
    return manager
  }

  /// Remembers which manager serves an account, without keeping it alive.
  func adopt(_ manager: AuthorizationManager, for account: AccountID) {
    authorizations.managers[account, default: WeakAuthorization()].manager = manager
  }

  /// Remembers the scope that a resource asked for, for managers to come.
  func remember(_ scope: String, for resource: String, of account: AccountID) {
    authorizations.managers[account, default: WeakAuthorization()].resourceScopes[resource] = scope
  }
}
