package import GatebookEvents

/// Step 11: the userinfo endpoint (OpenID Connect Core 1.0 section 5.3).
extension IDTokenCheck {
  /// Whom the answer of the userinfo endpoint is about, and what it says.
  ///
  /// Judged by content: an object is taken as it is, anything else must be a token that is signed
  /// as ID tokens are. Claims that such a token has are checked like those of an ID token; it need
  /// not have them (section 5.3.2).
  ///
  /// - Parameters:
  ///   - body: The body of a 200.
  ///   - keys: The issuer's keys as they are known.
  ///   - claims: The ID token, whose user it must be about; `nil` for none to compare with.
  ///   - now: The time by our clock.
  /// - Returns: The user, and all members about the user; nothing of the answer if a rule was
  ///   broken.
  package func userInfo(
    _ body: [UInt8], keys: JSONWebKeySet, of claims: IDTokenClaims?, at now: Timestamp
  ) -> IDTokenVerdict<NamedUser> {
    IDTokenVerdict { () throws(IDTokenRefusal) in
      let members = try members(body, keys: keys, at: now + offset)
      // Without a subject it is about nobody, which is not another user.
      guard case .value(let subject) = members.text("sub"),
        (1...255).contains(subject.unicodeScalars.count)
      else { throw .userInfo }
      // Section 5.3.2: "The sub Claim in the UserInfo Response MUST be verified to exactly match
      // the sub Claim in the ID Token; if they do not match, the UserInfo Response values MUST NOT
      // be used."
      guard claims.map({ subject.hasSameBytes(as: $0.subject) }) ?? true else {
        throw .userInfoSubject
      }
      var others = members.facts
      for name in IDTokenClaims.own { others[name] = nil }
      return NamedUser(subject: subject, facts: others)
    }
  }

  /// Whether a text can be a token: base64url and points alone (RFC 7515 section 7.1).
  private static func isCompact(_ text: String) -> Bool {
    text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
      default: false
      }
    }
  }

  /// A body without the line feeds and blanks at its end, which are no part of a token.
  private static func withoutEnd(_ body: [UInt8]) -> ArraySlice<UInt8> {
    let last = body.lastIndex { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return last.map { body[...$0] } ?? []
  }

  private func members(
    _ body: [UInt8], keys: JSONWebKeySet, at time: Timestamp
  ) throws(IDTokenRefusal) -> JSONWebClaims {
    if let members = JSONWebClaims(body) { return members }
    // What is no token at all, such as broken JSON or the page of a strange network, would be told
    // of as a bad one.
    guard let text = String(validating: Self.withoutEnd(body), as: UTF8.self), Self.isCompact(text)
    else { throw .userInfo }
    let token = try verified(text, by: keys).claims
    if let issuer = try token.text(.iss) {
      guard issuer.hasSameBytes(as: self.issuer) else { throw .issuer }
    }
    if token.has(.aud) { _ = try audiences(of: token) }
    try checkTimes(
      expiry: try token.moment(.exp), issuedAt: try token.moment(.iat),
      begin: try token.moment(.nbf), at: time)
    return token
  }
}
