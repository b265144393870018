extension AuthorizationManager {
  /// A token for a scope; a valid one is returned without a request, also after a restart.
  ///
  /// Otherwise the flow is: register if needed, preauthorize, authorization, token. Challenges go
  /// to their handlers.
  ///
  /// - Parameter scope: The elements separated by white space, in any order; `nil` is the default
  ///   scope, which every registered client has.
  /// - Returns: The token.
  /// - Throws: `configuration.invalid` for a scope or a check that the server does not know.
  ///   `challenge.unhandled` for a challenge without a handler. `server.refused` for a client that
  ///   the server does not know even after a new registration. `challenge.blocked`,
  ///   `challenge.cancelled`, `scope.missing`, `network.unreachable`, `server.unavailable`,
  ///   `identity.mismatch`, or a storage failure. No failure ends a session.
  public func obtainAccessToken(
    forScope scope: String? = nil
  ) async throws(GatebookError) -> AccessToken {
    let scope = AuthorizationScope(scope)
    try await book.enforceOfflineLimit(ofAccount: account)
    if let token = try await book.liveToken(for: scope, of: account) ?? guestToken(for: scope) {
      return token
    }
    giveWay()
    let id =
      if let shared = flows.values.first(where: { $0.serves(scope) }) { shared.id } else {
        try enqueue(.token(scope))
      }
    let end = promise(in: id).end
    pump()
    guard let token = try await wait(end).token else { throw Self.inProgress }
    return token
  }

  func guestToken(for scope: AuthorizationScope) -> AccessToken? {
    guest.tokens[scope.description].flatMap { $0.isLive(at: book.effects.clock.now()) ? $0 : nil }
  }

  /// Logs in with credentials that are given in advance; no token is requested.
  ///
  /// After a wrong answer the check's handler is called, and this call waits for a new answer by
  /// ``submitChallengeAnswer(_:to:)``, a cancel or a failure.
  ///
  /// - Parameters:
  ///   - check: The check's exact name.
  ///   - credentials: The answer to the check.
  /// - Returns: The user who logged in.
  /// - Throws: `login.inProgress` while a login, a logout or a challenge of this account is under
  ///   way: then nothing was sent, and the challenge can still be answered. Else as
  ///   ``obtainAccessToken(forScope:)``.
  @discardableResult
  public func login(
    _ check: String, credentials: ChallengeAnswer
  ) async throws(GatebookError) -> Authorization {
    giveWay()
    try requireIdle()
    let id = try enqueue(.login(check: check, credentials))
    let end = promise(in: id).end
    pump()
    return try await wait(end)
  }

  /// Does what fits: answers the check's open challenge, or else logs in with the credentials.
  ///
  /// It needs no handler; one that is registered is called first. Unlike ``login(_:credentials:)``
  /// it returns as soon as this check is decided. After a wrong answer the challenge stays open:
  /// call it again, ``giveUp(_:because:)`` or ``cancel(_:)``.
  ///
  /// - Parameters:
  ///   - credentials: The answer to the check.
  ///   - check: The check's exact name.
  /// - Returns: The user who logged in.
  /// - Throws: `credentials.refused` for a wrong answer; ``openChallenges`` then tells the server's
  ///   words and the attempts that are left. Else as ``login(_:credentials:)``.
  @discardableResult
  public func authenticate(
    _ credentials: ChallengeAnswer, check: String
  ) async throws(GatebookError) -> Authorization {
    if let id = flowAwaiting(check) {
      flows[id]?.direct.insert(check)
      let (end, number) = promise(in: id, check: check)
      do throws(GatebookError) {
        try await submitChallengeAnswer(credentials, to: check)
      } catch {
        flows[id]?.promises[number] = nil
        throw error
      }
      return try await wait(end)
    }
    giveWay()
    try requireIdle()
    let id = try enqueue(.login(check: check, credentials))
    flows[id]?.direct.insert(check)
    let end = promise(in: id, check: check).end
    pump()
    return try await wait(end)
  }

  /// Ends what the server knows of a check, and forgets the account's tokens, all of them.
  ///
  /// If the check is the one that named the account's user, the session ends here at once, whatever
  /// the server answers. The logout waits until a running flow has ended. No handler is called.
  ///
  /// - Parameter check: The check's exact name.
  /// - Returns: What the server said; the same is in `logout.completed`. A client that was never
  ///   registered has nothing to end, which is a success.
  /// - Throws: A storage failure: only then nothing has happened.
  @discardableResult
  public func logout(_ check: String) async throws(GatebookError) -> CheckLogout {
    giveWay()
    let id = try enqueue(.logout(check: check))
    let end = promise(in: id).end
    pump()
    return try await wait(end).logout ?? .nothingToEnd
  }

  /// Forgets the token of `token.scope`, and no other one; use it when a resource refused the
  /// token.
  ///
  /// - Parameter token: The token; if another one has taken its place, that one stays.
  /// - Throws: Storage failures.
  public func clearAccessToken(_ token: AccessToken) async throws(GatebookError) {
    try await clear(token, cause: "asked")
  }

  func clear(_ token: AccessToken, cause: String) async throws(GatebookError) {
    if guest.tokens[token.scope] == token { guest.tokens[token.scope] = nil }
    try await book.clear(token, of: account, cause: cause)
  }
}
