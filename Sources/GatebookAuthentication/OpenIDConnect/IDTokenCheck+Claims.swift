internal import GatebookEvents

/// Steps 5 to 7: issuer, subject, audience, times.
extension IDTokenCheck {
  func claims(
    of token: JSONWebClaims, at time: Timestamp
  ) throws(IDTokenRefusal) -> IDTokenClaims {
    guard let issuer = try token.text(.iss) else { throw .issuerMissing }
    guard issuer.hasSameBytes(as: self.issuer) else { throw .issuer }
    let subject = try subject(of: token)
    let audiences = try audiences(of: token)
    let authorizedParty = try token.text(.azp)
    try check(audiences, authorizedParty)
    guard let expiry = try token.moment(.exp) else { throw .expiryMissing }
    guard let issuedAt = try token.moment(.iat) else { throw .issuedAtMissing }
    try checkTimes(expiry: expiry, issuedAt: issuedAt, begin: try token.moment(.nbf), at: time)
    var others = token.facts
    for name in IDTokenClaims.own { others[name] = nil }
    return IDTokenClaims(
      issuer: issuer, subject: subject, audiences: audiences, authorizedParty: authorizedParty,
      expiry: expiry, issuedAt: issuedAt, authenticatedAt: try token.writtenMoment(.authTime),
      contextClass: token.optionalText("acr"), methods: token.optionalTexts("amr"),
      nonce: try token.text(.nonce), others: others)
  }

  /// The user's id.
  ///
  /// Section 2: it "MUST NOT exceed 255 ASCII characters in length."
  func subject(of token: JSONWebClaims) throws(IDTokenRefusal) -> String {
    guard let subject = try token.text(.sub), !subject.isEmpty else { throw .subjectMissing }
    guard subject.unicodeScalars.count <= 255 else { throw .subjectTooLong }
    return subject
  }

  func audiences(of token: JSONWebClaims) throws(IDTokenRefusal) -> [String] {
    switch token.texts(IDTokenRefusal.Claim.aud.rawValue) {
    case .absent: throw .audience
    case .malformed: throw .malformed(.aud)
    case .value(let audiences):
      guard audiences.contains(where: { $0.hasSameBytes(as: clientID) }) else { throw .audience }
      return audiences
    }
  }

  private func check(
    _ audiences: [String], _ authorizedParty: String?
  ) throws(IDTokenRefusal) {
    if let authorizedParty {
      guard authorizedParty.hasSameBytes(as: clientID) else { throw .authorizedParty }
    }
    // "azp" need not be there, however many audiences there are (errata set 2 of the standard).
    let untrusted = audiences.filter { other in
      !other.hasSameBytes(as: clientID) && !otherAudiences.contains { $0.hasSameBytes(as: other) }
    }
    guard untrusted.isEmpty else { throw .audienceUntrusted(untrusted) }
  }

  func checkTimes(
    expiry: Timestamp?, issuedAt: Timestamp?, begin: Timestamp?, at time: Timestamp
  ) throws(IDTokenRefusal) {
    let skew = rules.clockSkew
    if let expiry, time >= expiry + skew { throw .expired }
    if let issuedAt {
      guard issuedAt <= time + skew else { throw .issuedInFuture }
      if let age = rules.maximumAge, time > issuedAt + age + skew { throw .issuedTooLongAgo }
    }
    if let begin, begin > time + skew { throw .notYetValid }
  }
}
