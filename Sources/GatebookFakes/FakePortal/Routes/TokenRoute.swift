internal import Gatebook

/// `POST /o/oauth2/token`: the four grants (RFC 6749 sections 4 and 6).
enum TokenRoute: PortalRoute {
  typealias Grant = FakePortalApplication.Grant

  static func answer(_ visit: inout PortalVisit, _ state: inout PortalState) -> LoopbackReply {
    guard visit.request.method == "POST" else {
      return PortalPage.error(405, "Tokens are asked for with POST.")
    }
    do {
      let token = try grant(visit.request, &state)
      visit.recognise(token)
      return reply(token, state.switches)
    } catch {
      return error.reply(emptyForBadClient: state.switches.emptyRefusalOfBadClient)
    }
  }

  private static func grant(
    _ request: LoopbackRequest, _ state: inout PortalState
  ) throws(FakeTokenRefusal) -> FakePortalToken {
    let application = try TokenClient.identify(request, state.oauth2)
    guard let grant = request.formValue("grant_type").flatMap({ Grant(rawValue: $0) }) else {
      throw FakeTokenRefusal.unknownGrant
    }
    guard application.grants.contains(grant) else { throw FakeTokenRefusal.grantNotAllowed }
    switch grant {
    case .authorizationCode: return try redeem(request, application, &state)
    case .password: return try logIn(request, application, &state)
    case .refreshToken: return try refresh(request, application, &state)
    case .clientCredentials:
      // Nobody without a secret is the application itself (RFC 6749 section 4.4).
      guard !application.isPublic else { throw FakeTokenRefusal.grantNotAllowed }
      let scope = try scope(request, application)
      return state.issueTokens(application, of: nil, scope, isRefreshable: false)
    }
  }

  private static func redeem(
    _ request: LoopbackRequest, _ application: FakePortalApplication, _ state: inout PortalState
  ) throws(FakeTokenRefusal) -> FakePortalToken {
    guard let code = state.takeCode(request.formValue("code")),
      code.request.clientID == application.clientID,
      code.request.redirectURI == request.formValue("redirect_uri"),
      code.request.challenge == request.formValue("code_verifier").map(challenge)
    else { throw FakeTokenRefusal.badGrant }
    return issue(application, code.userID, code.request.scope, &state)
  }

  private static func logIn(
    _ request: LoopbackRequest, _ application: FakePortalApplication, _ state: inout PortalState
  ) throws(FakeTokenRefusal) -> FakePortalToken {
    let scope = try scope(request, application)
    guard let name = request.formValue("username"), let password = request.formValue("password"),
      let user = state.authenticate(name, password, by: state.switches.loginName)
    else { throw FakeTokenRefusal.badGrant }
    return issue(application, user.userID, scope, &state)
  }

  /// The portal always rotates: the old refresh token is dead before the answer leaves, unless there
  /// is a grace for those who lose the answer.
  private static func refresh(
    _ request: LoopbackRequest, _ application: FakePortalApplication, _ state: inout PortalState
  ) throws(FakeTokenRefusal) -> FakePortalToken {
    let value = request.formValue("refresh_token")
    let switches = state.switches
    let keeps = !switches.rotatesRefreshToken || switches.omitsRefreshToken
    let graceEnd = state.now.boot + switches.refreshTokenGrace
    let old = state.withRefreshToken(value, of: application.clientID) { token in
      defer {
        if !keeps, switches.refreshTokenGrace > .zero {
          token.refreshExpiry = min(token.refreshExpiry, graceEnd)
        } else if !keeps {
          token.refreshToken = nil
        }
        if switches.endsAccessTokenOnRefresh { token.accessToken = nil }
      }
      return token
    }
    guard let old else { throw FakeTokenRefusal.badGrant }
    guard keeps else { return issue(application, old.userID, old.scope, &state) }
    var token = state.issueTokens(application, of: old.userID, old.scope, isRefreshable: false)
    // The refresh token stays with its own pair, and is told again.
    token.refreshToken = value
    return token
  }

  private static func issue(
    _ application: FakePortalApplication, _ userID: Int64?, _ scope: String,
    _ state: inout PortalState
  ) -> FakePortalToken {
    let isRefreshable =
      application.grants.contains(.refreshToken) && !state.switches.omitsRefreshToken
    return state.issueTokens(application, of: userID, scope, isRefreshable: isRefreshable)
  }

  private static func scope(
    _ request: LoopbackRequest, _ application: FakePortalApplication
  ) throws(FakeTokenRefusal) -> String {
    guard let scope = application.granted(request.formValue("scope")) else {
      throw FakeTokenRefusal.badScope
    }
    return scope
  }

  /// RFC 7636 section 4.6: BASE64URL(SHA256(ASCII(code_verifier))).
  private static func challenge(_ verifier: String) -> String {
    Base64Text.encodeForURL(PlainHash.sha256(Array(verifier.utf8)))
  }

  private static func reply(
    _ token: FakePortalToken, _ switches: FakePortalSwitches
  ) -> LoopbackReply {
    var members = [
      PlainJSON.Member(name: "access_token", value: .string(token.accessToken ?? "")),
      PlainJSON.Member(name: "token_type", value: .string("Bearer")),
    ]
    if !switches.omitsExpiresIn {
      members.append(
        PlainJSON.Member(name: "expires_in", value: .seconds(switches.accessTokenLifetime)))
    }
    members.append(PlainJSON.Member(name: "scope", value: .string(token.scope)))
    if let refreshToken = token.refreshToken, !switches.omitsRefreshToken {
      members.append(PlainJSON.Member(name: "refresh_token", value: .string(refreshToken)))
    }
    return .json(
      PlainJSON.object(members).text, fields: ["Cache-Control": "no-store", "Pragma": "no-cache"])
  }
}
