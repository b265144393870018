package import GatebookCrypto
package import GatebookEvents

/// A proof that is made of OAuth 2 tokens: when they are renewed, and how long they serve.
package protocol TokenProof: SessionProof {
  /// What the server granted.
  var tokens: OAuth2Tokens { get }

  /// Whether the session can be renewed.
  var isRenewable: Bool { get }

  /// Where its tokens are taken back, and for which application; `nil` where nowhere.
  ///
  /// Sessions of one user with the same may be one and the same to their server.
  var revocation: TokenRevocation? { get }

  /// The proof with other tokens.
  func holding(_ tokens: OAuth2Tokens) -> Self
}

extension TokenProof {
  /// What of it may be taken back while another session is to live on.
  ///
  /// Some servers answer a login with the tokens that the application has already. To others a
  /// refresh token represents all that the user has allowed the application: "If the particular
  /// token is a refresh token and the authorization server supports the revocation of access
  /// tokens, then the authorization server SHOULD also invalidate all access tokens based on the
  /// same authorization grant" (RFC 7009 section 2.1).
  ///
  /// - Parameters:
  ///   - other: What is to live on.
  ///   - isOfSameUser: Whether both are, or may be, the same user's.
  /// - Returns: The proof, or its access token alone where both may be one session to the server;
  ///   `nil` where they share a token.
  package func sparing(_ other: any TokenProof, isOfSameUser: Bool) -> Self? {
    let hasSameAccess = !tokens.access.isEmpty && tokens.access == other.tokens.access
    let hasSameRefresh = tokens.refresh != nil && tokens.refresh == other.tokens.refresh
    guard !hasSameAccess, !hasSameRefresh else { return nil }
    // Where it is taken back may have become known later, or be written otherwise.
    guard isOfSameUser, let revocation,
      other.revocation.map({ $0.clientID == revocation.clientID }) ?? true
    else { return self }
    var spared = tokens
    spared.refresh = nil
    return holding(spared)
  }
}

extension TokenProof {
  /// What of it may be taken back while something else is to log in again.
  ///
  /// - Parameter saved: That.
  /// - Returns: The proof, without its refresh token where both have the same.
  package func leaving(_ saved: any SessionProof) -> Self {
    guard isSpent(with: saved) else { return self }
    var left = tokens
    left.refresh = nil
    return holding(left)
  }
}

extension TokenProof {
  /// With a refresh token.
  package var isRenewable: Bool { tokens.refresh != nil }

  /// From 80 % of the access token's life on.
  package func needsRenewal(since renewed: Moment, at moment: Moment) -> Bool {
    isRenewable && tokens.isDue(at: Self.age(since: renewed, at: moment))
  }

  /// When less than a minute, and less than a tenth of its life, is left.
  package func isRenewalUrgent(since renewed: Moment, at moment: Moment) -> Bool {
    isRenewable && isNearlyOver(since: renewed, at: moment)
  }

  /// When less than a minute, and less than a tenth of the access token's life, is left.
  package func isNearlyOver(since renewed: Moment, at moment: Moment) -> Bool {
    tokens.isUrgent(at: Self.age(since: renewed, at: moment))
  }

  /// With a refresh token, a password or the application's own secret; an access token alone only
  /// serves until its end.
  package var canLogInAgain: Bool { renewal(jar: CookieJar()) != nil }

  /// Yes: servers rotate refresh tokens.
  package var isSingleUse: Bool { tokens.refresh != nil }

  /// The refresh token, or the access token where there is none.
  package var fingerprinted: Secret? { tokens.refresh ?? tokens.access }

  /// The access token; `nil` for one that is bound to a key, which nobody else can use.
  package func bearer(since renewed: Moment) -> BearerToken? {
    tokens.isBound ? nil : BearerToken(tokens, since: renewed)
  }

  /// Those of the last answers.
  package var tokenMembers: TokenMembers { tokens.others }

  /// Until the access token's end; an outage of the token endpoint does not take it away.
  package func isUsable(since renewed: Moment, at moment: Moment) -> Bool {
    tokens.isAlive(at: Self.age(since: renewed, at: moment))
  }

  private static func age(since renewed: Moment, at moment: Moment) -> Duration {
    max(moment.boot - renewed.boot, moment.wall - renewed.wall)
  }
}
