package import GatebookCrypto

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

  /// The key's thumbprint: base64url of SHA-256 (RFC 7638 section 3, RFC 8037 section 2).
  package var thumbprint: String {
    switch material {
    case .rsa(let key): key.thumbprint
    case .elliptic(let key): key.thumbprint
    case .ed25519(let key): Ed25519.thumbprint(of: key)
    }
  }
}
