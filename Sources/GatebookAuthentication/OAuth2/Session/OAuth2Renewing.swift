package import GatebookCrypto
package import GatebookEvents

/// A session of OAuth 2, with or without an ID token: renewed by a refresh, revoked at its server.
package protocol OAuth2Renewing: TokenBearing {
  /// What is known of its server and the application.
  var login: OAuth2Login { get }

  /// The password that logs in again automatically, with the user's permission; a session has none.
  var password: Secret? { get set }

  /// What a renewal proposes, except the life of what it brought.
  ///
  /// - Parameters:
  ///   - tokens: The session's tokens from now on.
  ///   - login: What is known of the server now.
  ///   - granted: What came.
  ///   - moment: When it came.
  /// - Returns: The outcome.
  /// - Throws: `identity.mismatch` for another user's ID token.
  func renewal(
    to tokens: OAuth2Tokens, by login: OAuth2Login, _ granted: OAuth2Granted, at moment: Moment
  ) throws(GatebookError) -> Outcome
}

extension OAuth2Renewing {
  /// No: none are sent.
  package var keepsCookies: Bool { false }

  /// With a password alone: an application's own secret is nobody's.
  package var renewsByPassword: Bool { password != nil }

  /// The server's endpoint for it.
  package var revocation: TokenRevocation? {
    login.endpoints.revocationURL.map {
      TokenRevocation(url: $0, clientID: login.application.clientID)
    }
  }

  /// What logs in again after the session: the password in the place of the tokens.
  func saved(with password: Secret) -> Self {
    var tokens = tokens
    tokens.access = Secret("")
    tokens.refresh = nil
    tokens.others = TokenMembers()
    var saved = holding(tokens)
    saved.password = password
    return saved
  }

  /// Revokes the tokens where the server has an endpoint for it (RFC 7009), the refresh token
  /// first: that ends the others too (section 2.1).
  package func logOut(jar: CookieJar, at moment: Moment) -> [HTTPRequest] {
    guard let url = login.endpoints.revocationURL else { return [] }
    return tokens.questions.compactMap { token, parameters in
      try? login.request(
        url, parameters, at: moment, random: Self.randomness(token, moment))
    }
  }

  /// A logout gets no random bytes: what nobody but the token's holder knows, and the time, make an
  /// assertion that is used once.
  private static func randomness(_ token: Secret, _ moment: Moment) -> Randomness {
    Randomness(token.withBytes { $0 } + Array("\(moment.wall.rawValue)".utf8))
  }
}

extension OAuth2Proof {
  /// With what the ID token of the answer says, if it can be trusted.
  package func renewal(
    to tokens: OAuth2Tokens, by login: OAuth2Login, _ granted: OAuth2Granted, at moment: Moment
  ) throws(GatebookError) -> Outcome {
    var identity = identity
    var refusal: IDTokenRefusal?
    if let idToken = granted.idToken, login.metadata != nil {
      let taken = try identity.take(
        idToken, with: granted.tokens, try login.identityCheck(), at: moment.wall)
      if case .refused(let reason) = taken { refusal = reason }
    }
    let renewed = OAuth2Proof(login, tokens: tokens, identity)
    var outcome = Outcome(person: renewed.person, evidence: .session, proof: renewed)
    outcome.scope = tokens.scope
    outcome.isUnbound = login.binding != nil && !tokens.isBound
    outcome.refusedIDToken = refusal?.code
    outcome.discovered = login.metadata?.fetched
    outcome.changedEndpoints = login.endpoints.changes(from: self.login.endpoints)
    return outcome
  }
}
