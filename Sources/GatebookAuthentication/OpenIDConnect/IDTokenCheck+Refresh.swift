internal import GatebookEvents

/// Step 10: what a refresh must not change (OpenID Connect Core 1.0 section 12.2).
extension IDTokenCheck {
  /// Compares with what the login's own ID token said; `c_hash` is not looked at: no code came.
  func check(_ claims: IDTokenClaims, after first: IDTokenClaims) throws(IDTokenRefusal) {
    // Both were compared with what the server called itself then: only its last slash may differ.
    guard claims.issuer.hasSameBytes(as: first.issuer) else { throw .refreshedIssuer }
    guard claims.subject.hasSameBytes(as: first.subject) else { throw .refreshedSubject }
    guard Self.areSame(claims.authorizedParty, first.authorizedParty) else {
      throw .refreshedAuthorizedParty
    }
    // "if the ID Token contains an auth_time Claim, its value MUST represent the time of the
    // original authentication"
    if let time = claims.authenticatedAt, let former = first.authenticatedAt, time != former {
      throw .refreshedAuthenticationTime
    }
    if claims.nonce != nil {
      guard Self.areSame(claims.nonce, first.nonce) else { throw .refreshedNonce }
    }
    guard claims.issuedAt >= first.issuedAt else { throw .refreshedBeforeFirst }
  }

  /// The refusal of a token that was signed in another issuer's name.
  ///
  /// OpenID Connect Core 1.0 section 12.2: "its iss Claim Value MUST be the same as in the ID Token
  /// issued when the original authentication occurred".
  ///
  /// - Parameters:
  ///   - text: The token.
  ///   - keys: The keys with which its signature holds.
  /// - Returns: `identity.mismatch`, with both issuers.
  func anotherIssuer(in text: String, keys: JSONWebKeySet) -> GatebookError {
    let named = issuerNamed(in: text, by: keys).map { "the issuer \($0)" } ?? "another issuer"
    return GatebookError(
      .identityMismatch, IDTokenRefusal.issuer.fault,
      "It names the issuer \(named), but the login was at \(issuer).",
      kept: "The account and its attributes are unchanged; the answer was not used.",
      remedy: "Log in again. If the server's issuer has changed, give the new one.",
      cause: "ID token: \(IDTokenRefusal.issuer.reason)")
  }

  /// The refusal of a login's token that was signed in another issuer's name.
  ///
  /// - Parameters:
  ///   - text: The token.
  ///   - keys: The keys with which its signature holds.
  /// - Returns: `content.unexpected`, with both issuers.
  func wrongIssuer(in text: String, keys: JSONWebKeySet) -> GatebookError {
    var error = IDTokenRefusal.issuer.error
    if let named = issuerNamed(in: text, by: keys) {
      error.message =
        "The server's ID token names the issuer \(named), but the server's metadata names \(issuer)."
      error.remedy = "Ask the server's administrator: both must be exactly the same."
    }
    return error
  }

  /// The issuer that a token names, as it is written: issuers are compared byte for byte; `nil` for
  /// what is no URL.
  private func issuerNamed(in text: String, by keys: JSONWebKeySet) -> String? {
    guard let token = try? verified(text, by: keys),
      case .value(let issuer) = token.claims.text("iss"),
      issuer.utf8.count <= 200, let url = HTTPURL(issuer), url.query == nil
    else { return nil }
    return issuer
  }

  private static func areSame(_ left: String?, _ right: String?) -> Bool {
    switch (left, right) {
    case (nil, nil): true
    case (let left?, let right?): left.hasSameBytes(as: right)
    case (nil, _?), (_?, nil): false
    }
  }
}
