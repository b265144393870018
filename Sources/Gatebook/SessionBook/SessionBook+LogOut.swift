extension SessionBook {
  /// Removes an account's saved credentials: those that log in again automatically, those that
  /// check its password offline, and those for challenges.
  ///
  /// A running session continues.
  ///
  /// It works after a logout too: a saved refresh token is then revoked at its server, now or
  /// later. During a session it is not revoked, because some servers would end the session too.
  ///
  /// - Parameter account: The account.
  /// - Returns: Whether there was anything.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  @discardableResult
  public func removeCredentials(of account: AccountID) async throws(GatebookError) -> Bool {
    let isRemoved = try await ledger.retryingOnConflict { () throws(GatebookError) in
      try await logouts.removeCredentials(of: account)
    }
    if isRemoved { await outbox.tellServers(ofForgotten: account) }
    return isRemoved
  }

  /// Logs an account out: in the book at once, even offline; then once at the server, if it
  /// supports that.
  ///
  /// The session's secrets are destroyed together with the event. If saved credentials stay, their
  /// refresh token is not revoked at the server, only the session's access token. If the account
  /// was the current one, the most recently used other account that is not logged out becomes
  /// current; without one it stays current. An account that is already logged out does not change.
  /// If the server cannot be reached or does not answer within five seconds, Gatebook tells it
  /// later. If the server refuses, Gatebook does not ask again.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - forgettingCredentials: Whether to remove saved credentials too; otherwise they are kept.
  ///   - byPolicy: Whether a rule of the app logs the account out, such as a time without use, and
  ///     not the user: the account is then `ended(policy)`, and `why` says so.
  /// - Returns: The account's context. What the server answered is in the event
  ///   `logout.completed`.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure: only then the
  ///   account is not logged out.
  @discardableResult
  public func logOut(
    _ account: AccountID, forgettingCredentials: Bool = false, byPolicy: Bool = false
  ) async throws(GatebookError) -> SessionContext {
    try await logouts.logOut(
      account, forgettingCredentials: forgettingCredentials, byPolicy: byPolicy)
  }

  /// Logs every account out: first all of them in the book, then at their servers.
  ///
  /// - Parameter forgettingCredentials: Whether to remove saved credentials too.
  /// - Returns: The accounts' contexts, in the order of ``accounts()``.
  /// - Throws: The first storage failure; all other accounts are then logged out.
  @discardableResult
  public func logOutAll(
    forgettingCredentials: Bool = false
  ) async throws(GatebookError) -> [SessionContext] {
    try await logouts.logOutAll(forgettingCredentials: forgettingCredentials)
  }

  /// The page that ends the user's own session at the server, to be opened in the browser: a logout
  /// ends the account's session, but the browser stays logged in.
  ///
  /// Call this before the logout, which destroys the data that the page needs.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - redirectURI: Where the server sends the browser back to, registered there; `nil` for
  ///     nowhere.
  ///   - state: A value that the redirect returns.
  ///   - namesPerson: Whether the URL contains the user's ID token, so that the server does not
  ///     ask: then only the browser may see it, not a command line.
  /// - Returns: The page; `nil` for a server without one or for an account without a usable
  ///   session.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  ///
  /// Source: OpenID Connect RP-Initiated Logout 1.0.
  public func endSessionPage(
    of account: AccountID, redirectURI: String? = nil, state: String? = nil,
    namesPerson: Bool = true
  ) throws(GatebookError) -> HTTPURL? {
    guard try ledger.context(of: account).state.isUsable,
      let session = try ledger.openSession(of: account)
    else { return nil }
    return session.stored.proof.logoutCapable?.endSessionPage(
      redirectURI: redirectURI, state: state, namesPerson: namesPerson)
  }
}
