internal import COpenSSLTLS

/// A key pair that a fake identity server signs with, or that its application does.
// Sendable: the key never changes, and libcrypto lets several threads sign with it at once.
final class FakeIdentityKey: @unchecked Sendable {
  private static let rsa = [FakeIdentityKey(tls_new_rsa_key()), FakeIdentityKey(tls_new_rsa_key())]
  private static let elliptic = [FakeIdentityKey(tls_new_key()), FakeIdentityKey(tls_new_key())]
  private static let edwards = [UInt8(1), 2].map { byte in
    let seed = [UInt8](repeating: byte, count: 32)
    return FakeIdentityKey(
      EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count))
  }
  /// The application's.
  static let client = FakeIdentityKey(tls_new_rsa_key())

  private let key: OpaquePointer

  private init(_ key: OpaquePointer?) {
    self.key = Libcrypto.handle(key, "a key")
  }

  deinit {
    EVP_PKEY_free(key)
  }

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
      case .rs256, .ps256: rsa
      case .es256: elliptic
      case .edDSA: edwards
      }
    return keys[isFirst ? 0 : 1]
  }

  private var type: Int32 { EVP_PKEY_get_base_id(key) }

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
    var jwk: PlainJSON =
      switch type {
      case EVP_PKEY_RSA: ["kty": "RSA", "n": number("n"), "e": number("e")]
      case EVP_PKEY_EC:
        ["kty": "EC", "crv": "P-256", "x": number("qx", count: 32), "y": number("qy", count: 32)]
      default: ["kty": "OKP", "crv": "Ed25519", "x": .string(Base64Text.encodeForURL(raw))]
      }
    jwk["kid"] = .string(id)
    jwk["use"] = "sig"
    jwk["alg"] = .string(algorithm.rawValue)
    return jwk
  }

  private func number(_ name: String, count: Int? = nil) -> PlainJSON {
    var number: OpaquePointer?
    Libcrypto.require(EVP_PKEY_get_bn_param(key, name, &number), "a number")
    let value = Libcrypto.handle(number, "a number")
    defer { BN_free(value) }
    return .string(Base64Text.encodeForURL(Libcrypto.bytes(of: value, count: count)))
  }

  private var raw: [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 32)
    var count = bytes.count
    Libcrypto.require(EVP_PKEY_get_raw_public_key(key, &bytes, &count), "a public key")
    return bytes
  }

  /// The private key in PEM (RFC 7468 section 10).
  var pem: String {
    let form = Libcrypto.handle(EVP_PKEY2PKCS8(key), "a private key")
    defer { PKCS8_PRIV_KEY_INFO_free(form) }
    return Base64Text.armored("PRIVATE KEY", Libcrypto.bytes { i2d_PKCS8_PRIV_KEY_INFO(form, $0) })
  }

  /// The signature of a message; of an algorithm that the key has not, the one that it has.
  func signature(
    of message: [UInt8], _ algorithm: FakeIdentitySettings.Algorithm
  ) -> [UInt8] {
    let context = Libcrypto.handle(EVP_MD_CTX_new(), "a signature context")
    defer { EVP_MD_CTX_free(context) }
    // The first context owns the second one.
    var padding: OpaquePointer?
    let hash = type == EVP_PKEY_ED25519 ? nil : EVP_sha256()
    Libcrypto.require(EVP_DigestSignInit(context, &padding, hash, nil, key), "a signature")
    if type == EVP_PKEY_RSA, algorithm == .ps256 {
      // RFC 7518 section 3.5: a salt of the hash's size.
      Libcrypto.require(
        EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PSS_PADDING), "the padding")
      Libcrypto.require(
        EVP_PKEY_CTX_set_rsa_pss_saltlen(padding, RSA_PSS_SALTLEN_DIGEST), "the salt")
    }
    var count = Int(EVP_PKEY_get_size(key))
    var bytes = [UInt8](repeating: 0, count: count)
    Libcrypto.require(
      EVP_DigestSign(context, &bytes, &count, message, message.count), "a signature")
    let signature = Array(bytes.prefix(count))
    guard type == EVP_PKEY_EC else { return signature }
    guard let joined = P256Signature.joined(signature) else {
      preconditionFailure("libcrypto could not sign.")
    }
    return joined
  }
}
