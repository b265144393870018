internal import GatebookEvents

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
