package import GatebookCrypto
package import GatebookEvents

/// A session that is made of OAuth 2 tokens: when they are renewed, and how long they serve.
package protocol TokenBearing: Renewable, LogoutCapable {
  /// What the server granted.
  var tokens: OAuth2Tokens { get }

  /// Where its tokens are taken back, and for which application; `nil` where nowhere.
  ///
  /// Sessions of one user with the same may be one and the same to their server.
  var revocation: TokenRevocation? { get }

  /// The proof with other tokens.
  func holding(_ tokens: OAuth2Tokens) -> Self

  /// Whether the session can be renewed.
  var isRenewable: Bool { get }

  /// What an answer tells besides, such as the nonce for the next request.
  ///
  /// - Parameters:
  ///   - reply: The answer, also one that refuses nothing.
  ///   - request: The request as it was sent.
  /// - Returns: The proof with that; `nil` where it told nothing new.
  func learning(from reply: HTTPReply, to request: HTTPRequest) -> Self?

  /// The scopes that were asked for and that the server has not granted; what it did not say counts
  /// as granted.
  var missingScopes: [String] { get }

  /// Whether a renewal brought something about the user that could not be checked yet.
  var isUnchecked: Bool { get }

  /// Which endpoints the server has moved since an earlier session of the account, by their names
  /// in its metadata.
  ///
  /// - Parameter former: That session's proof.
  /// - Returns: The names; none where what is set by hand alone differs, and for another server.
  func movedEndpoints(since former: any SessionProof) -> [String]
}

extension TokenBearing {
  /// This.
  package var tokenBearing: (any TokenBearing)? { self }

  /// Nothing.
  package func learning(from reply: HTTPReply, to request: HTTPRequest) -> Self? { nil }

  /// None.
  package var missingScopes: [String] { [] }

  /// No.
  package var isUnchecked: Bool { false }

  /// None.
  package func movedEndpoints(since former: any SessionProof) -> [String] { [] }
}

extension TokenBearing {
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
  package func sparing(_ other: any TokenBearing, isOfSameUser: Bool) -> Self? {
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

extension TokenBearing {
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

extension TokenBearing {
  /// With a refresh token.
  package var isRenewable: Bool { tokens.refresh != nil }

  /// From 80 % of the access token's life on.
  package func needsRenewal(atAge age: Duration) -> Bool {
    isRenewable && tokens.isDue(at: age)
  }

  /// When less than a minute, and less than a tenth of its life, is left.
  package func isRenewalUrgent(atAge age: Duration) -> Bool {
    isRenewable && isNearlyOver(atAge: age)
  }

  /// Whether less than a minute, and less than a tenth of the access token's life, is left: a
  /// request should not go out with it.
  package func isNearlyOver(atAge age: Duration) -> Bool {
    tokens.isUrgent(at: age)
  }

  /// With a refresh token, a password or the application's own secret; an access token alone only
  /// serves until its end.
  package var canLogInAgain: Bool { renewal(jar: CookieJar()) != nil }

  /// The random secret that changes with each renewal, for the log to tell generations apart: the
  /// refresh token, or the access token where there is none.
  package var fingerprinted: Secret { tokens.refresh ?? tokens.access }

  /// The access token, which an app may send without Gatebook; `nil` for one that is bound to a
  /// key, which nobody else can use.
  package func bearer(since renewed: Timestamp) -> BearerToken? {
    tokens.isBound ? nil : BearerToken(tokens, since: renewed)
  }

  /// Until the access token's end; an outage of the token endpoint does not take it away.
  package func isUsable(atAge age: Duration) -> Bool {
    tokens.isAlive(at: age)
  }
}

extension SessionProof {
  /// Whether a renewal uses up what it sends, as a refresh token that rotates: then it is never
  /// sent again while it is not known what became of it.
  package var isSingleUse: Bool { tokenBearing?.tokens.refresh != nil }

  /// Whether a renewal of the one uses up what the other would renew itself with.
  package func isSpent(with other: any SessionProof) -> Bool {
    isSingleUse && tokenBearing?.tokens.refresh == other.tokenBearing?.tokens.refresh
  }
}
