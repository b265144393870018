package import GatebookEvents

/// The public keys of a server (RFC 7517 section 5).
package struct JSONWebKeySet: Hashable, Sendable {
  /// The most bytes of a document.
  package static let maximumSize = 512 << 10
  /// The most keys of a document, those that are skipped included.
  package static let maximumCount = 100

  /// The keys that can be used, in the server's order.
  package let keys: [JSONWebKey]

  /// Makes a set.
  package init(_ keys: [JSONWebKey]) {
    self.keys = keys
  }

  /// Reads what `jwks_uri` gave; keys that are not understood are skipped.
  ///
  /// - Parameter document: The whole body of the answer.
  /// - Throws: `limit.exceeded` above ``maximumSize`` or ``maximumCount``, `content.unexpected`
  ///   for anything but an object with a list of `keys`.
  package init(document: [UInt8]) throws(GatebookError) {
    guard document.count <= Self.maximumSize else {
      throw Self.tooMuch("The server's keys are larger than 512 KiB.")
    }
    guard let members = JSONDocument.read(document)?.object?["keys"]?.list else {
      throw .atLogin(
        .contentUnexpected, .keys, "The answer is not a JSON Web Key Set.",
        remedy: "Check the URL of the server's keys (jwks_uri).")
    }
    guard members.count <= Self.maximumCount else {
      throw Self.tooMuch("The server has more than 100 keys.")
    }
    keys = members.compactMap { $0.object.flatMap { JSONWebKey($0) } }
  }

  private static func tooMuch(_ message: String) -> GatebookError {
    .atLogin(
      .limitExceeded, message,
      remedy: "Check the URL of the server's keys (jwks_uri), or ask the server's administrator.")
  }

  /// The one key that a token may have been signed with.
  ///
  /// `kid` given: exactly that key. Not given: only if exactly one key fits (OpenID Connect Core
  /// 1.0 section 10.1). A key that stands there more than once is one key.
  ///
  /// - Parameters:
  ///   - id: `kid` of the token's header.
  ///   - algorithm: `alg` of the token's header.
  /// - Returns: A key that fits the algorithm and is long enough.
  /// - Throws: `unknownKey` if there is none, or not one alone; `keyUnfit` if the key named is for
  ///   something else; `weakKey` if it is too short.
  package func key(
    _ id: String?, for algorithm: SignatureAlgorithm
  ) throws(JSONWebTokenRefusal) -> JSONWebKey {
    let named = keys.filter { key in id.map { key.id?.hasSameBytes(as: $0) == true } ?? true }
    let fitting = named.filter { $0.fits(algorithm) }
    let trusted = fitting.filter { !$0.isWeak }
    if let key = trusted.first, trusted.allSatisfy({ $0.material == key.material }) { return key }
    if id != nil, !named.isEmpty, fitting.isEmpty { throw .keyUnfit }
    throw trusted.isEmpty && !fitting.isEmpty ? .weakKey : .unknownKey
  }
}
