internal import GatebookEvents

// Both types stand in one file so that only a verification can make the second one.

/// A signed token as it came (RFC 7515 section 7.1): its claims cannot be reached.
package struct UnverifiedToken: Sendable {
  /// The most bytes of a token.
  package static let maximumSize = 64 << 10

  /// What it says of its signature.
  package let header: JSONWebTokenHeader
  private let claims: JSONWebClaims
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Takes the compact form apart.
  ///
  /// - Parameter text: Three parts of base64url, without padding and blanks.
  /// - Throws: `tooLong`, `encrypted`, `parts`, `header`, `content` or `critical`.
  package init(_ text: some StringProtocol) throws(JSONWebTokenRefusal) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.maximumSize else { throw .tooLong }
    let parts = bytes.split(separator: .dot, omittingEmptySubsequences: false)
    // RFC 7516 section 9: "If the object is using the JWS Compact Serialization ..., the number of
    // base64url-encoded segments separated by period ('.') characters differs".
    guard parts.count != 5 else { throw .encrypted }
    guard parts.count == 3, let head = Base64URL.decode(parts[0].text),
      let content = Base64URL.decode(parts[1].text),
      let signature = Base64URL.decode(parts[2].text)
    else { throw .parts }
    header = try JSONWebTokenHeader(head)
    guard let claims = JSONWebClaims(content) else { throw .content }
    self.claims = claims
    self.signature = signature
    signed = Array(bytes[..<parts[1].endIndex])
  }

  /// The token's content, once its signature was verified.
  ///
  /// - Parameters:
  ///   - keys: The server's keys.
  ///   - allowed: The algorithms that are taken.
  /// - Returns: The content that the key's owner signed; when and for whom is not checked.
  /// - Throws: `unsigned`, `algorithm`, `unknownKey`, `keyUnfit`, `weakKey` or `signature`.
  package func verified(
    by keys: JSONWebKeySet, allowing allowed: Set<SignatureAlgorithm>
  ) throws(JSONWebTokenRefusal) -> VerifiedToken {
    let algorithm = try header.algorithm(of: allowed)
    let key = try keys.key(header.keyID, for: algorithm)
    guard key.verify(signature, of: signed, by: algorithm) else { throw .signature }
    return VerifiedToken(header: header, algorithm: algorithm, claims: claims)
  }
}

/// A token whose signature was verified.
package struct VerifiedToken: Sendable {
  /// What it says of its signature.
  package let header: JSONWebTokenHeader
  /// What it was signed with.
  package let algorithm: SignatureAlgorithm
  /// Its content.
  package let claims: JSONWebClaims

  fileprivate init(
    header: JSONWebTokenHeader, algorithm: SignatureAlgorithm, claims: JSONWebClaims
  ) {
    self.header = header
    self.algorithm = algorithm
    self.claims = claims
  }
}
