internal import GatebookEvents

// Both types are in one file so that only a verification can make the second one.

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

/// What a token's header says of its signature (RFC 7515 section 4.1).
///
/// `jwk`, `jku`, `x5u` and `x5c` are never read: a key that comes with the token proves nothing.
package struct JSONWebTokenHeader: Hashable, Sendable {
  /// `alg` as it was written.
  package let algorithm: String
  /// `kid`.
  package let keyID: String?
  /// `typ`.
  package let type: String?

  init(_ bytes: [UInt8]) throws(JSONWebTokenRefusal) {
    guard let members = JSONDocument.members(bytes)?.facts else { throw .header }
    // Section 4.1.11: whatever it names, nothing beyond the standard is understood here.
    guard members["crit"] == nil else { throw .critical }
    guard let algorithm = members["alg"]?.text else { throw .header }
    // `null` counts as absent.
    let named = [members["kid"], members["typ"]].compactMap(\.self).filter { $0 != .null }
    guard named.allSatisfy({ $0.text != nil }) else { throw .header }
    self.algorithm = algorithm
    keyID = members["kid"]?.text
    type = members["typ"]?.text
  }

  /// The algorithm, if it is one of these.
  func algorithm(
    of allowed: Set<SignatureAlgorithm>
  ) throws(JSONWebTokenRefusal) -> SignatureAlgorithm {
    guard !algorithm.equalsIgnoringCase("none") else { throw .unsigned }
    guard let known = SignatureAlgorithm(name: algorithm), allowed.contains(known) else {
      throw .algorithm
    }
    return known
  }
}
