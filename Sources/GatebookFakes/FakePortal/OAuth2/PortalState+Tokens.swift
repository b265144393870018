internal import Gatebook

extension PortalState {
  // RFC 6749 section 4.1.2 recommends ten minutes at most.
  private static let codeLifetime = Duration.seconds(600)

  /// Gives out a code for an approved request.
  mutating func issueCode(for request: AuthorizationRequest, to userID: Int64) -> String {
    let code = issue(32, of: "0123456789abcdef")
    oauth2.codes[code] = PortalOAuth2.Code(
      request: request, userID: userID, expiry: now.boot + Self.codeLifetime)
    return code
  }

  /// Takes a code out, whatever becomes of it: nobody may try twice (RFC 6749 section 4.1.2).
  mutating func takeCode(_ code: String?) -> PortalOAuth2.Code? {
    guard let code, let found = oauth2.codes.removeValue(forKey: code) else { return nil }
    return found.expiry > now.boot ? found : nil
  }

  /// Gives out a new pair of tokens of 32 bytes each.
  mutating func issueTokens(
    _ application: FakePortalApplication, of userID: Int64?, _ scope: String,
    isRefreshable: Bool
  ) -> FakePortalToken {
    let token = FakePortalToken(
      accessToken: issue(64, of: "0123456789abcdef"),
      refreshToken: isRefreshable ? issue(64, of: "0123456789abcdef") : nil,
      clientID: application.clientID, userID: userID, scope: scope,
      accessExpiry: now.boot + switches.accessTokenLifetime,
      refreshExpiry: now.boot + .seconds(604_800))
    oauth2.tokens.append(token)
    return token
  }

  /// The live pair that an access token belongs to.
  func token(access: some StringProtocol) -> FakePortalToken? {
    oauth2.tokens.first { token in
      token.accessToken.map { $0 == access } == true && token.accessExpiry > now.boot
    }
  }

  /// Changes the live pair of a refresh token of an application in place; `nil` without one.
  mutating func withRefreshToken<Result>(
    _ refresh: String?, of clientID: String, _ body: (inout FakePortalToken) -> Result
  ) -> Result? {
    let index = oauth2.tokens.firstIndex { token in
      refresh != nil && token.refreshToken == refresh && token.clientID == clientID
        && token.refreshExpiry > now.boot
    }
    return index.map { body(&oauth2.tokens[$0]) }
  }

  /// Takes back one token of an application: a refresh token takes its access token with it (RFC
  /// 7009 section 2.1), an access token goes alone.
  mutating func revoke(_ value: String?, of clientID: String) {
    guard let value else { return }
    let mine = { (token: FakePortalToken) in token.clientID == clientID }
    oauth2.tokens.removeAll { mine($0) && $0.refreshToken == value }
    for index in oauth2.tokens.indices
    where mine(oauth2.tokens[index]) && oauth2.tokens[index].accessToken == value {
      oauth2.tokens[index].accessToken = nil
    }
  }

  /// Takes back what a user gave away, or everything, codes and OAuth 1.0a included.
  mutating func revokeTokens(of userID: Int64?) {
    let isMeant = { (owner: Int64?) in userID == nil || owner == userID }
    oauth2.tokens.removeAll { isMeant($0.userID) }
    oauth2.codes = oauth2.codes.filter { !isMeant($0.value.userID) }
    oauth1.tokens = oauth1.tokens.filter { !isMeant($0.value.userID) }
  }
}
