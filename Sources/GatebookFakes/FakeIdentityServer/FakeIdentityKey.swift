internal import GatebookCrypto

/// A key pair that a fake identity server signs with, or that its application does.
enum FakeIdentityKey: Sendable {
  case rsa(RSAKey)
  case elliptic(P256Key)
  case edwards(SigningKey)

  private static let rsaKeys = [rsa(.generate()), rsa(.generate())]
  private static let ellipticKeys = [elliptic(.generate()), elliptic(.generate())]
  private static let edwardsKeys = [UInt8(1), 2].compactMap { byte in
    SigningKey(seed: [UInt8](repeating: byte, count: SigningKey.seedCount)).map { edwards($0) }
  }
  /// The application's key.
  private static let clientKey = RSAKey.generate()
  /// The application's.
  static let client = rsa(clientKey)
  /// The application's private key in PEM (RFC 7468 section 10).
  static let clientPEM = clientKey.pkcs8.withBytes { Base64Text.armored("PRIVATE KEY", $0) }

  /// The server's key for signatures of an algorithm.
  ///
  /// - Parameters:
  ///   - algorithm: The algorithm.
  ///   - isFirst: Whether it is the one that the server begins with; else the one that follows it.
  /// - Returns: The key: always the same one.
  static func server(
    _ algorithm: FakeIdentitySettings.Algorithm, isFirst: Bool
  ) -> FakeIdentityKey {
    let keys =
      switch algorithm {
      case .rs256, .ps256: rsaKeys
      case .es256: ellipticKeys
      case .edDSA: edwardsKeys
      }
    return keys[isFirst ? 0 : 1]
  }

  /// The public key as it is published (RFC 7517 section 4, RFC 7518 section 6, RFC 8037 section
  /// 2).
  ///
  /// - Parameters:
  ///   - id: Its name.
  ///   - algorithm: What it signs with.
  /// - Returns: The key.
  func jwk(
    _ id: String = "fake-1", _ algorithm: FakeIdentitySettings.Algorithm = .rs256
  ) -> PlainJSON {
    let number = { (bytes: [UInt8]) in PlainJSON.string(Base64Text.encodeForURL(bytes)) }
    var jwk: PlainJSON =
      switch self {
      case .rsa(let key):
        ["kty": "RSA", "n": number(key.publicKey.modulus), "e": number(key.publicKey.exponent)]
      case .elliptic(let key):
        ["kty": "EC", "crv": "P-256", "x": number(key.publicKey.x), "y": number(key.publicKey.y)]
      case .edwards(let key): ["kty": "OKP", "crv": "Ed25519", "x": number(key.publicKey)]
      }
    jwk["kid"] = .string(id)
    jwk["use"] = "sig"
    jwk["alg"] = .string(algorithm.rawValue)
    return jwk
  }

  /// The signature of a message; of an algorithm that the key has not, the one that it has.
  func signature(
    of message: [UInt8], _ algorithm: FakeIdentitySettings.Algorithm
  ) -> [UInt8] {
    do {
      return switch self {
      case .rsa(let key):
        try key.sign(message, with: .sha256, padding: algorithm == .ps256 ? .pss : .pkcs1)
      case .elliptic(let key): try key.sign(message)
      case .edwards(let key): key.sign(message)
      }
    } catch {
      preconditionFailure("libcrypto could not sign.")
    }
  }
}
