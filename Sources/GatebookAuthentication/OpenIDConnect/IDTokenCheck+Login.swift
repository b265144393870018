internal import GatebookCrypto
internal import GatebookEvents

/// Steps 8 and 9: what was asked for in the login, and what came with the token.
extension IDTokenCheck {
  func checkNonce(
    _ nonce: String?, of login: IDTokenAnswer.Login
  ) throws(IDTokenRefusal) {
    guard let sent = login.nonce else {
      guard nonce == nil || rules.ignoresUnexpectedNonce else { throw .nonceUnexpected }
      return
    }
    guard let nonce else { throw .nonceMissing }
    guard ConstantTime.equal(Array(nonce.utf8), Array(sent.utf8)) else { throw .nonce }
  }

  func checkAuthentication(
    _ claims: IDTokenClaims, of login: IDTokenAnswer.Login, at time: Timestamp
  ) throws(IDTokenRefusal) {
    if let maximumAge = login.maximumAge {
      let skew = rules.clockSkew
      guard let authenticated = claims.authenticatedAt else { throw .authenticationTimeMissing }
      guard authenticated <= time + skew else { throw .authenticationInFuture }
      guard time <= authenticated + maximumAge + skew else { throw .authenticationTooLongAgo }
    }
    guard !login.contextClasses.isEmpty else { return }
    guard let contextClass = claims.contextClass,
      login.contextClasses.contains(where: { $0.hasSameBytes(as: contextClass) })
    else { throw .contextClass }
  }

  /// A hash that is there must be that of the value, which must be there too (OpenID Connect Core
  /// 1.0 section 3.1.3.8).
  func checkHash(
    _ claim: IDTokenRefusal.Claim, of token: VerifiedToken, over value: Secret?
  ) throws(IDTokenRefusal) {
    guard let hash = try token.claims.text(claim) else { return }
    guard let value, token.algorithm.isHalfHash(hash, of: value) else {
      throw claim == .cHash ? .codeHash : .accessTokenHash
    }
  }
}
