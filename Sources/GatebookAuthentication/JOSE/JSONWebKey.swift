package import GatebookCrypto
package import GatebookEvents

/// A public key of a server, and what it is for (RFC 7517 section 4).
package struct JSONWebKey: Hashable, Sendable {
  /// The key's numbers, by its `kty`.
  package enum Material: Hashable, Sendable {
    /// `RSA` (RFC 7518 section 6.3).
    case rsa(RSAPublicKey)
    /// `EC` (RFC 7518 section 6.2).
    case elliptic(ECPublicKey)
    /// `OKP` with the curve Ed25519, 32 bytes (RFC 8037 section 2).
    case ed25519([UInt8])
  }

  /// The key's numbers.
  package let material: Material
  /// `kid` (section 4.5).
  package let id: String?
  /// `use` (section 4.2).
  package let use: String?
  /// `key_ops` (section 4.3).
  package let operations: [String]?
  /// `alg` (section 4.4).
  package let algorithm: String?

  /// Makes a key.
  package init(
    _ material: Material, id: String? = nil, use: String? = nil, operations: [String]? = nil,
    algorithm: String? = nil
  ) {
    self.material = material
    self.id = id
    self.use = use
    self.operations = operations
    self.algorithm = algorithm
  }

  /// Whether a signature of this algorithm may be this key's: `kty`, `crv`, `use`, `key_ops` and
  /// `alg` all allow it.
  package func fits(_ algorithm: SignatureAlgorithm) -> Bool {
    guard use == nil || use == "sig", operations?.contains("verify") != false,
      self.algorithm.map({ SignatureAlgorithm(name: $0) == algorithm }) ?? true
    else { return false }
    switch (algorithm, material) {
    case (.rs256, .rsa), (.rs384, .rsa), (.rs512, .rsa): return true
    case (.ps256, .rsa), (.ps384, .rsa), (.ps512, .rsa): return true
    case (.es256, .elliptic(let key)): return key.curve == .p256
    case (.es384, .elliptic(let key)): return key.curve == .p384
    case (.es512, .elliptic(let key)): return key.curve == .p521
    case (.edDSA, .ed25519): return true
    default: return false
    }
  }

  /// Whether the key is too short to be trusted.
  ///
  /// RFC 7518 sections 3.3 and 3.5: "A key of size 2048 bits or larger MUST be used".
  package var isWeak: Bool {
    if case .rsa(let key) = material { key.bitCount < RSAPublicKey.trustedBits } else { false }
  }

  /// Whether the key's owner signed the message with this algorithm; `false` if it does not fit.
  package func verify(
    _ signature: [UInt8], of message: [UInt8], by algorithm: SignatureAlgorithm
  ) -> Bool {
    guard fits(algorithm) else { return false }
    switch material {
    case .rsa(let key):
      let padding: RSAPadding =
        [.ps256, .ps384, .ps512].contains(algorithm) ? .pss : .pkcs1
      return key.verify(signature, of: message, with: algorithm.hash, padding: padding)
    case .elliptic(let key): return key.verify(signature, of: message)
    case .ed25519(let key): return Ed25519.verify(signature, of: message, by: key)
    }
  }
}

extension JSONWebKey {
  /// Reads the public part of a key; `nil` for one that cannot be used.
  ///
  /// RFC 7517 section 5: implementations "SHOULD ignore JWKs within a JWK Set that use "kty" (key
  /// type) values that are not understood by them, that are missing required members, or for which
  /// values are out of the supported ranges." Private members are never looked at.
  package init?(_ members: Facts) {
    // A restriction that cannot be read would otherwise be none; `null` is none.
    func value(_ name: String) -> FactValue? { members[name] == .null ? nil : members[name] }
    let named = ["kid", "use", "alg"].compactMap { value($0) }
    guard let material = Material(members), named.allSatisfy({ $0.text != nil }) else {
      return nil
    }
    let operations = value("key_ops")?.list?.compactMap(\.text)
    guard operations?.count == value("key_ops").map({ $0.list?.count ?? -1 }) else { return nil }
    self.init(
      material, id: members["kid"]?.text, use: members["use"]?.text, operations: operations,
      algorithm: members["alg"]?.text)
  }
}

extension JSONWebKey.Material {
  fileprivate init?(_ members: Facts) {
    func bytes(_ name: String) -> [UInt8]? {
      members[name]?.text.flatMap { Base64URL.decode(Self.withoutPadding($0)) }
    }
    switch members["kty"]?.text {
    case "RSA":
      guard let modulus = bytes("n"), let exponent = bytes("e"),
        let key = RSAPublicKey(modulus: modulus, exponent: exponent)
      else { return nil }
      self = .rsa(key)
    case "EC":
      guard let curve = members["crv"]?.text.flatMap(EllipticCurve.init(rawValue:)),
        let x = bytes("x"), let y = bytes("y"), let key = ECPublicKey(curve: curve, x: x, y: y)
      else { return nil }
      self = .elliptic(key)
    case "OKP":
      guard members["crv"]?.text == "Ed25519", let x = bytes("x"),
        x.count == Ed25519.publicKeyCount
      else { return nil }
      self = .ed25519(x)
    default: return nil
    }
  }

  /// A number as the standard writes it (RFC 7518 section 2), also where a server has padded it.
  private static func withoutPadding(_ text: String) -> Substring {
    guard text.utf8.count.isMultiple(of: 4), text.hasSuffix("=") else { return text[...] }
    return text.hasSuffix("==") ? text.dropLast(2) : text.dropLast()
  }
}

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
  /// 1.0 section 10.1). A key that occurs more than once is one key.
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
