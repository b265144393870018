internal import Gatebook

extension MobileFirstState {
  /// `POST az/v1/token`: an access token for a code or for a refresh token.
  ///
  /// What is wrong with the assertion gives 401 `invalid_client`, what is wrong with the code or
  /// the refresh token 400 `invalid_grant` (inferred); an assertion that is refused uses up
  /// neither.
  mutating func giveToken(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    switch visit.request.formValue("grant_type") {
    case "authorization_code": exchange(&visit)
    case "refresh_token": refresh(&visit)
    case nil: MobileFirstReply.grantError("invalid_request")
    default: MobileFirstReply.grantError("unsupported_grant_type")
    }
  }

  private mutating func exchange(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    guard let code = visit.request.formValue("code") else {
      return MobileFirstReply.grantError("invalid_request")
    }
    guard let client = client(&visit, for: .token(code: code)) else {
      return MobileFirstReply.invalidClient
    }
    guard let grant = codes[code], grant.clientID == client.id,
      visit.request.formValue("redirect_uri") == grant.redirectURI
    else { return MobileFirstReply.grantError("invalid_grant") }
    codes[code] = nil
    // A check may have ended since the code was given (inferred).
    guard let selection = application.selection(for: grant.scope),
      let foundation = self.foundation(selection, of: client.id)
    else { return MobileFirstReply.grantError("invalid_grant") }
    let token = GrantedToken(
      clientID: client.id, scope: grant.scope, expiresAt: foundation.expiresAt,
      successes: foundation.successes)
    return reply(token)
  }

  /// Grants a token that no longer depends on the success of its checks and is valid as long as
  /// they would be at most; the refresh token is replaced (inferred).
  private mutating func refresh(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    guard let client = client(&visit, for: .refresh) else {
      return MobileFirstReply.invalidClient
    }
    guard let text = visit.request.formValue("refresh_token"), let old = refreshTokens[text],
      old.clientID == client.id, now < old.expiresAt
    else { return MobileFirstReply.grantError("invalid_grant") }
    refreshTokens[text] = nil
    let lengths = old.successes.keys.compactMap {
      application.check($0)?.settings.successStateExpiration
    }
    let length = (lengths + [application.maxTokenExpiration]).min() ?? .zero
    let token = GrantedToken(
      clientID: client.id, scope: old.scope, expiresAt: now + length,
      successes: old.successes.mapValues { _ in nil })
    return reply(token)
  }

  private mutating func reply(_ token: GrantedToken) -> LoopbackReply {
    let text = issue("token")
    tokens[text] = token
    let scope = token.scope.isEmpty ? ScopeElements.registeredClient : token.scope
    var answer: PlainJSON = [
      "access_token": .string(text), "token_type": "Bearer",
      "expires_in": .integer((token.expiresAt - now).components.seconds),
      "scope": .string(scope),
    ]
    if let length = application.refreshTokenExpiration {
      let refreshText = issue("refresh")
      var refreshToken = token
      refreshToken.expiresAt = now + length
      refreshTokens[refreshText] = refreshToken
      answer["refresh_token"] = .string(refreshText)
    }
    return .json(answer, fields: ["Cache-Control": "no-store"])
  }

  private static let redirectURI = "https://mfpredirecturi"

  /// `GET az/v1/authorization`: a code, if all checks of the scope have succeeded.
  ///
  /// The checks are evaluated as in any request, without credentials: a remembered login counts.
  mutating func authorize(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    let request = visit.request
    guard request.queryValue("response_type") == "code",
      request.queryValue("redirect_uri") == Self.redirectURI,
      let clientID = request.queryValue("client_id"), clients[clientID] != nil,
      let scope = request.queryValue("scope"),
      let selection = application.selection(for: scope)
    else { return MobileFirstReply.grantError("invalid_request") }
    visit.clientID = clientID
    _ = evaluate(selection, of: clientID)
    guard foundation(selection, of: clientID) != nil else {
      return reply("error", "access_denied")
    }
    let code = issue("code")
    codes[code] = GrantedCode(clientID: clientID, scope: scope, redirectURI: Self.redirectURI)
    return reply("code", code)
  }

  private func reply(_ name: String, _ value: String) -> LoopbackReply {
    guard switches.answersCodeInBody else {
      return .redirect(to: "\(Self.redirectURI)?\(name)=\(value)")
    }
    return .json(.object([PlainJSON.Member(name: name, value: .string(value))]))
  }
}
