internal import Gatebook

/// `POST az/v1/token`: an access token for a code or for a refresh token.
///
/// What is wrong with the assertion gives 401 `invalid_client`, what is wrong with the code or the
/// refresh token 400 `invalid_grant` (inferred); an assertion that is refused uses up neither.
enum MobileFirstTokenRoute: MobileFirstRoute {
  static func answer(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    guard visit.request.method == "POST" else { return MobileFirstReply.wrongMethod("POST") }
    return switch visit.request.formValue("grant_type") {
    case "authorization_code": exchange(&visit, &state)
    case "refresh_token": refresh(&visit, &state)
    case nil: MobileFirstReply.grantError("invalid_request")
    default: MobileFirstReply.grantError("unsupported_grant_type")
    }
  }

  private static func exchange(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    guard let code = visit.request.formValue("code") else {
      return MobileFirstReply.grantError("invalid_request")
    }
    guard let client = client(&visit, state, for: .token(code: code)) else {
      return MobileFirstReply.invalidClient
    }
    guard let grant = state.codes[code], grant.clientID == client.id,
      visit.request.formValue("redirect_uri") == grant.redirectURI
    else { return MobileFirstReply.grantError("invalid_grant") }
    state.codes[code] = nil
    // A check may have ended since the code was given (inferred).
    guard let selection = state.application.selection(for: grant.scope),
      let foundation = state.foundation(selection, of: client.id)
    else { return MobileFirstReply.grantError("invalid_grant") }
    let token = GrantedToken(
      clientID: client.id, scope: grant.scope, expiresAt: foundation.expiresAt,
      successes: foundation.successes)
    return reply(token, &state)
  }

  /// Gives a token that no longer rests on the success of its checks and lives as long as they
  /// would at most; the refresh token is replaced (inferred).
  private static func refresh(
    _ visit: inout MobileFirstVisit, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    guard let client = client(&visit, state, for: .refresh) else {
      return MobileFirstReply.invalidClient
    }
    guard let text = visit.request.formValue("refresh_token"), let old = state.refreshTokens[text],
      old.clientID == client.id, state.now < old.expiresAt
    else { return MobileFirstReply.grantError("invalid_grant") }
    state.refreshTokens[text] = nil
    let lengths = old.successes.keys.compactMap {
      state.application.check($0)?.settings.successStateExpiration
    }
    let length = (lengths + [state.application.maxTokenExpiration]).min() ?? .zero
    let token = GrantedToken(
      clientID: client.id, scope: old.scope, expiresAt: state.now + length,
      successes: old.successes.mapValues { _ in nil })
    return reply(token, &state)
  }

  private static func reply(
    _ token: GrantedToken, _ state: inout MobileFirstState
  ) -> LoopbackReply {
    let text = state.issue("token")
    state.tokens[text] = token
    let scope = token.scope.isEmpty ? ScopeElements.registeredClient : token.scope
    var members = [
      PlainJSON.Member(name: "access_token", value: .string(text)),
      PlainJSON.Member(name: "token_type", value: .string("Bearer")),
      PlainJSON.Member(
        name: "expires_in", value: .integer((token.expiresAt - state.now).components.seconds)),
      PlainJSON.Member(name: "scope", value: .string(scope)),
    ]
    if let length = state.application.refreshTokenExpiration {
      let refreshText = state.issue("refresh")
      var refreshToken = token
      refreshToken.expiresAt = state.now + length
      state.refreshTokens[refreshText] = refreshToken
      members.append(PlainJSON.Member(name: "refresh_token", value: .string(refreshText)))
    }
    return .json(PlainJSON.object(members).text, fields: ["Cache-Control": "no-store"])
  }
}
