extension Requests {
  /// A valid access token of an account, for apps that send their own requests.
  func token(
    for account: AccountID? = nil, minimumLifetime: Duration = .zero, scopes: [String] = []
  ) async throws(GatebookError) -> BearerToken {
    let account = if let account { account } else { try ledger.requireCurrent() }
    let now = ledger.clock.now()
    if let ready = try renewals.readySession(of: account, at: now)?.session,
      let token = ready.token(minimumLifetime: minimumLifetime, scopes: scopes, at: now)
    {
      return token
    }
    var session = try await renewals.requireSession(of: account)
    guard session.bearer(at: ledger.clock.now()) != nil else { throw Self.tokenless(session) }
    let former = session.bearer(at: ledger.clock.now())?.value
    session = try await offline.enforceOfflineLimit(session)
    session = try await renewals.settlingQuestion(
      try await renewals.checkingRenewed(try await renewals.renewIfDue(session)))
    // What the server has just given shows how long its tokens live: another one lives no longer.
    if !session.lives(for: minimumLifetime, at: ledger.clock.now()),
      session.bearer(at: ledger.clock.now())?.value == former
    {
      try await renewals.renew(session, .needed)
      session = try await renewals.requireSession(of: account)
    }
    guard let token = session.bearer(at: ledger.clock.now()),
      session.lives(for: minimumLifetime, at: ledger.clock.now())
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

  private static func tokenless(_ session: OpenSession) -> GatebookError {
    if session.stored.proof.tokenBearing?.tokens.isBound == true {
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
