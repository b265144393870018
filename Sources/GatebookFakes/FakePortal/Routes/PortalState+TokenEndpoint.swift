internal import Gatebook

extension PortalState {
  /// `POST /o/oauth2/token`: the four grants (RFC 6749 sections 4 and 6).
  mutating func giveTokens(_ visit: inout FakePortalRequest) -> LoopbackReply {
    do {
      let token = try grant(visit.request)
      visit.recognise(token)
      return reply(token, switches)
    } catch {
      return error.reply(emptyForBadClient: switches.emptyRefusalOfBadClient)
    }
  }

  private mutating func grant(
    _ request: LoopbackRequest
  ) throws(FakeTokenRefusal) -> FakePortalToken {
    let application = try TokenClient.identify(request, oauth2)
    guard
      let grant = request.formValue("grant_type").flatMap(
        FakePortalApplication.Grant.init(rawValue:))
    else {
      throw FakeTokenRefusal.unknownGrant
    }
    guard application.grants.contains(grant) else { throw FakeTokenRefusal.grantNotAllowed }
    switch grant {
    case .authorizationCode: return try redeem(request, application)
    case .password: return try logIn(request, application)
    case .refreshToken: return try refresh(request, application)
    case .clientCredentials:
      // Nobody without a secret is the application itself (RFC 6749 section 4.4).
      guard !application.isPublic else { throw FakeTokenRefusal.grantNotAllowed }
      let scope = try scope(request, application)
      return issueTokens(application, of: nil, scope, isRefreshable: false)
    }
  }

  private mutating func redeem(
    _ request: LoopbackRequest, _ application: FakePortalApplication
  ) throws(FakeTokenRefusal) -> FakePortalToken {
    guard let code = takeCode(request.formValue("code")),
      code.request.clientID == application.clientID,
      code.request.redirectURI == request.formValue("redirect_uri"),
      code.request.challenge == request.formValue("code_verifier").map({ Base64Text.challenge($0) })
    else { throw FakeTokenRefusal.badGrant }
    return issue(application, code.userID, code.request.scope)
  }

  private mutating func logIn(
    _ request: LoopbackRequest, _ application: FakePortalApplication
  ) throws(FakeTokenRefusal) -> FakePortalToken {
    let scope = try scope(request, application)
    guard let name = request.formValue("username"), let password = request.formValue("password"),
      let user = authenticate(name, password, by: switches.loginName)
    else { throw FakeTokenRefusal.badGrant }
    return issue(application, user.userID, scope)
  }

  /// The portal always rotates: the old refresh token is dead before the answer leaves, unless
  /// there is a grace for those who lose the answer.
  private mutating func refresh(
    _ request: LoopbackRequest, _ application: FakePortalApplication
  ) throws(FakeTokenRefusal) -> FakePortalToken {
    let value = request.formValue("refresh_token")
    let switches = self.switches
    let keeps = switches.omitsRefreshToken
    let graceEnd = now.boot + switches.refreshTokenGrace
    let old = withRefreshToken(value, of: application.clientID) { token in
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
    guard keeps else { return issue(application, old.userID, old.scope) }
    var token = issueTokens(application, of: old.userID, old.scope, isRefreshable: false)
    // The refresh token stays with its own pair, and is returned again.
    token.refreshToken = value
    return token
  }

  private mutating func issue(
    _ application: FakePortalApplication, _ userID: Int64?, _ scope: String
  ) -> FakePortalToken {
    let isRefreshable =
      application.grants.contains(.refreshToken) && !switches.omitsRefreshToken
    return issueTokens(application, of: userID, scope, isRefreshable: isRefreshable)
  }

  private func scope(
    _ request: LoopbackRequest, _ application: FakePortalApplication
  ) throws(FakeTokenRefusal) -> String {
    guard let scope = application.granted(request.formValue("scope")) else {
      throw FakeTokenRefusal.badScope
    }
    return scope
  }

  private func reply(_ token: FakePortalToken, _ switches: FakePortalSwitches) -> LoopbackReply {
    var answer: PlainJSON = [
      "access_token": .string(token.accessToken ?? ""), "token_type": "Bearer",
      "expires_in": .seconds(switches.accessTokenLifetime), "scope": .string(token.scope),
    ]
    if switches.omitsExpiresIn { answer["expires_in"] = nil }
    if !switches.omitsRefreshToken {
      answer["refresh_token"] = token.refreshToken.map { .string($0) }
    }
    return .json(answer, fields: ["Cache-Control": "no-store", "Pragma": "no-cache"])
  }

  /// `POST /o/oauth2/revoke`: takes a token back (RFC 7009); there only by switch (inferred: the
  /// path).
  mutating func revokeToken(_ visit: inout FakePortalRequest) -> LoopbackReply {
    guard switches.hasRevocation else {
      return Self.page.error(404, "There is nothing here.")
    }
    do {
      let application = try TokenClient.identify(visit.request, oauth2)
      // RFC 7009 section 2.2: unknown tokens are answered like any other.
      revoke(visit.request.formValue("token"), of: application.clientID)
      return LoopbackReply()
    } catch {
      return error.reply(emptyForBadClient: switches.emptyRefusalOfBadClient)
    }
  }
}
