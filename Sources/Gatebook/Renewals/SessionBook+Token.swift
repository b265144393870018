extension SessionBook {
  /// A valid access token of an account, for apps that send their own requests.
  ///
  /// A token that is about to expire is renewed first; so is one that is valid for a shorter time than
  /// requested, but only once. A new token is saved on disk before it is returned.
  ///
  /// - Parameters:
  ///   - account: The account; `nil` means the current one.
  ///   - minimumLifetime: How long it must still be valid.
  ///   - scopes: The scopes that it must have. If the server never said what it granted, they count as granted.
  /// - Returns: The token. If the server does not say how long it is valid, it may expire at any time.
  /// - Throws: `session.refused` when only a login helps. `configuration.invalid` for a method without tokens,
  ///   and for a token that is bound to the account's key (use ``send(_:as:)``). `configuration.invalid` also
  ///   if the server's tokens are valid for a shorter time than requested; the new token is kept.
  ///   `scope.missing` with the scopes that were not granted; the tokens are kept. Otherwise an error that says
  ///   why the server did not answer; the session is kept.
  public func token(
    for account: AccountID? = nil, minimumLifetime: Duration = .zero, scopes: [String] = []
  ) async throws(GatebookError) -> BearerToken {
    let account = if let account { account } else { try requireCurrent() }
    var session = try await requireSession(of: account)
    guard session.bearer(at: clock.now()) != nil else { throw Self.tokenless(session) }
    let former = session.bearer(at: clock.now())?.value
    session = try await enforceOfflineLimit(session)
    session = try await settlingQuestion(
      try await checkingRenewed(try await renewIfDue(session)))
    // What the server has just given shows how long its tokens live: another one lives no longer.
    if !session.lives(for: minimumLifetime, at: clock.now()),
      session.bearer(at: clock.now())?.value == former
    {
      try await renew(session, .needed)
      session = try await requireSession(of: account)
    }
    guard let token = session.bearer(at: clock.now()),
      session.lives(for: minimumLifetime, at: clock.now())
        || (minimumLifetime <= .zero && token.value != former)
    else { throw Self.shortLived }
    let missing = token.missing(scopes)
    guard missing.isEmpty else { throw Self.ungranted(missing) }
    return token
  }

  private static func ungranted(_ scopes: [String]) -> GatebookError {
    let names = scopes.map { "\"\($0)\"" }.joined(separator: ", ")
    return GatebookError(
      .scopeMissing, "The server has not granted \(names) to this session.",
      kept: "The session and its tokens are kept.",
      remedy: "Log in again and request these scopes, or do without them.")
  }

  /// The scopes that an account's login requested and its server did not grant; the session works for the
  /// others.
  ///
  /// - Parameter account: The account.
  /// - Returns: Their names; none if the server did not say what it granted.
  /// - Throws: `session.refused` when only a login helps, or a storage failure.
  public func missingScopes(of account: AccountID) throws(GatebookError) -> [String] {
    try openSession(of: account)?.stored.proof.missingScopes ?? []
  }

  /// Further members of the account's token answers, such as `patient` or `instance_url`; as secret as the
  /// tokens.
  ///
  /// - Parameter account: The account.
  /// - Returns: The members; none for a method without tokens.
  /// - Throws: `session.refused` when only a login helps, or a storage failure.
  ///
  /// Source: RFC 6749 section 5.1.
  public func tokenMembers(of account: AccountID) throws(GatebookError) -> TokenMembers {
    try openSession(of: account)?.stored.proof.tokenMembers ?? TokenMembers()
  }

  private static func tokenless(_ session: OpenSession) -> GatebookError {
    if (session.stored.proof as? any TokenProof)?.tokens.isBound == true {
      var error = GatebookError(
        .configurationInvalid,
        "The account's token is bound to a key of Gatebook (DPoP), so only Gatebook can use it.",
        kept: "The session is kept.",
        remedy:
          "Send requests as this account with `SessionBook.send` instead.")
      error.setting = "bindsTokens"
      return error
    }
    return GatebookError(
      .configurationInvalid, "Sessions of the method `\(session.context.method)` have no token.",
      remedy: "Send requests as this account with `SessionBook.send` instead.")
  }

  private static let shortLived = GatebookError(
    .configurationInvalid, "The server's tokens are valid for a shorter time than was requested.",
    kept: "The session has the newest token.", remedy: "Request a shorter minimum lifetime.")
}

extension OpenSession {
  /// The session's token with its end.
  fileprivate func bearer(at now: Moment) -> BearerToken? {
    var token = stored.proof.bearer(since: renewed(at: now))
    token?.isRecorded = context.isRecorded
    return token
  }

  fileprivate func lives(for duration: Duration, at now: Moment) -> Bool {
    guard let end = bearer(at: now)?.expiresAt else { return true }
    return end - now.wall > duration
  }
}
