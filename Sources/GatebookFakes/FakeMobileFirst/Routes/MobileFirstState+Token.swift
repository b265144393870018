internal import Gatebook

extension MobileFirstState {
  /// `POST az/v1/token`: an access token for a code.
  ///
  /// What is wrong with the assertion gives 401 `invalid_client`, what is wrong with the code 400
  /// `invalid_grant` (inferred); an assertion that is refused does not use the code up.
  mutating func giveToken(_ visit: inout FakeMobileFirstRequest) -> LoopbackReply {
    switch visit.request.formValue("grant_type") {
    case "authorization_code": exchange(&visit)
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
      visit.request.formValue("redirect_uri") == Self.redirectURI
    else { return MobileFirstReply.grantError("invalid_grant") }
    codes[code] = nil
    // A check may have ended since the code was given (inferred).
    guard let token = token(for: grant.scope, of: client.id) else {
      return MobileFirstReply.grantError("invalid_grant")
    }
    let text = issue(nextID("token"))
    tokens[text] = token
    return .json(
      [
        "access_token": .string(text), "token_type": "Bearer",
        "expires_in": .integer((token.expiresAt - now).components.seconds),
        "scope": .string(token.scope.isEmpty ? ScopeElements.registeredClient : token.scope),
      ], fields: ["Cache-Control": "no-store"])
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
    guard token(for: scope, of: clientID) != nil else {
      return .redirect(to: "\(Self.redirectURI)?error=access_denied")
    }
    let code = issue(nextID("code"))
    codes[code] = GrantedCode(clientID: clientID, scope: scope)
    return .redirect(to: "\(Self.redirectURI)?code=\(code)")
  }
}
