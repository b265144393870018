extension SessionBook {
  /// A valid access token of an account, for apps that send their requests by themselves.
  ///
  /// One that is nearly over is renewed first; one that lives for less than asked is renewed too, once
  /// in all. A new token is on disk before it is returned, also one that is over at once where nothing was
  /// asked of its life.
  ///
  /// - Parameters:
  ///   - account: The account; `nil` means the current one.
  ///   - minimumLifetime: How long it must live yet.
  ///   - scopes: What it must be good for. A server that never said what it granted is believed.
  /// - Returns: The token; where the server does not say how long it lives, one that may end at any
  ///   time.
  /// - Throws: `session.refused` when only a login helps; `configuration.invalid` for a method
  ///   without tokens, for a token that is bound to the account's key, which ``send(_:as:)`` uses, and when the server's tokens live for less than asked: the new one is kept;
  ///   `scope.missing` with the names of the scopes that were not granted: the tokens are kept; what
  ///   kept the server from answering, with the session kept.
  public func token(
    for account: AccountID? = nil, minimumLifetime: Duration = .zero, scopes: [String] = []
  ) async throws(GatebookError) -> BearerToken {
    let account = if let account { account } else { try requireCurrent() }
    var session = try await requireSession(of: account)
    guard session.bearer(at: clock.now()) != nil else { throw Self.tokenless(session) }
    let former = session.bearer(at: clock.now())?.value
    session = try await heedOfflineLimit(session)
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
      remedy: "Log in again and ask for these scopes, or do without them.")
  }

  /// The scopes that an account's login asked for and its server did not grant; the session serves for
  /// the others.
  ///
  /// - Parameter account: The account.
  /// - Returns: Their names; none where the server did not say what it granted.
  /// - Throws: `session.refused` when only a login helps, or a storage failure.
  public func missingScopes(of account: AccountID) throws(GatebookError) -> [String] {
    try openSession(of: account)?.stored.proof.missingScopes ?? []
  }

  /// What an account's server told with its tokens besides, such as `patient` or `instance_url`, as the
  /// last answers had it; as secret as the tokens.
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
        "The account's token is bound to a key that only Gatebook has (DPoP): nobody else can use it.",
        kept: "The session is kept.", remedy: "Send requests with the account instead.")
      error.setting = "bindsTokens"
      return error
    }
    return GatebookError(
      .configurationInvalid, "Sessions of the method \(session.context.method) have no token.",
      remedy: "Send requests with the account instead.")
  }

  private static let shortLived = GatebookError(
    .configurationInvalid, "The server's tokens live for less than was asked for.",
    kept: "The session has the newest token.", remedy: "Ask for a shorter life.")
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
