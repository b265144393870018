internal import COpenSSLTLS

/// The public key of a client, from its JWK (RFC 7517 section 4, RFC 7518 section 6).
struct RegisteredKey: Hashable, Sendable {
  /// How its owner signs.
  enum Algorithm: String, Sendable {
    /// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3).
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4).
    case es256 = "ES256"
  }

  /// What comes before the point in the SubjectPublicKeyInfo of a key on P-256 (RFC 5480 section
  /// 2).
  private static let p256Header: [UInt8] = [
    0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A,
    0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00, 0x04,
  ]

  /// How its owner signs.
  let algorithm: Algorithm
  /// The SubjectPublicKeyInfo, DER.
  private let der: [UInt8]

  /// Reads an RSA key; `nil` when it is none or of no usable size.
  init?(rsa jwk: PlainJSON) {
    guard jwk["kty"]?.string == "RSA", let modulus = Self.bytes("n", jwk),
      let exponent = Self.bytes("e", jwk), (128...1024).contains(modulus.count),
      (1...8).contains(exponent.count)
    else { return nil }
    // RFC 8017 appendix A.1.1: RSAPublicKey.
    let numbers = Self.der(0x30, Self.number(modulus) + Self.number(exponent))
    guard let key = Libcrypto.parsed(numbers, { d2i_PublicKey(EVP_PKEY_RSA, nil, $0, $1) }) else {
      Libcrypto.clearErrors()
      return nil
    }
    self.init(adopting: key, .rs256)
  }

  /// Reads a key on P-256; `nil` when it is none.
  init?(p256 jwk: PlainJSON) {
    guard jwk["kty"]?.string == "EC", jwk["crv"]?.string == "P-256",
      let x = Self.bytes("x", jwk), let y = Self.bytes("y", jwk), x.count == 32, y.count == 32
    else { return nil }
    guard let key = Libcrypto.parsed(Self.p256Header + x + y, { d2i_PUBKEY(nil, $0, $1) }) else {
      Libcrypto.clearErrors()
      return nil
    }
    self.init(adopting: key, .es256)
  }

  private init(adopting key: OpaquePointer, _ algorithm: Algorithm) {
    defer { EVP_PKEY_free(key) }
    self.algorithm = algorithm
    der = Libcrypto.bytes { i2d_PUBKEY(key, $0) }
  }

  /// Whether its owner signed these bytes.
  func verifies(_ signature: [UInt8], of bytes: [UInt8]) -> Bool {
    let form = algorithm == .es256 ? P256Signature.der(signature) : signature
    guard let form, let key = Libcrypto.parsed(der, { d2i_PUBKEY(nil, $0, $1) }) else {
      return false
    }
    let context = Libcrypto.handle(EVP_MD_CTX_new(), "a signature context")
    defer {
      EVP_MD_CTX_free(context)
      EVP_PKEY_free(key)
      Libcrypto.clearErrors()
    }
    Libcrypto.require(
      EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, key), "the verification")
    return EVP_DigestVerify(context, form, form.count, bytes, bytes.count) == 1
  }

  private static func bytes(_ name: String, _ jwk: PlainJSON) -> [UInt8]? {
    jwk[name]?.string.flatMap { Base64Text.decodeURL($0) }
  }

  /// A positive number in DER: its first bit is 0.
  private static func number(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array(bytes.drop { $0 == 0 })
    return der(0x02, digits.first.map { $0 < 0x80 } == true ? digits : [0] + digits)
  }

  /// A value of DER: its tag, its length in one to three bytes, its content.
  private static func der(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
    let (high, low) = content.count.quotientAndRemainder(dividingBy: 256)
    let length: [UInt8] =
      switch content.count {
      case ..<128: [UInt8(low)]
      case ..<256: [0x81, UInt8(low)]
      default: [0x82, UInt8(high), UInt8(low)]
      }
    return [tag] + length + content
  }
}

/// The two forms of a signature with a key on P-256: JOSE joins the numbers (RFC 7518 section 3.4),
/// libcrypto takes them in DER.
enum P256Signature {
  private static let size = 32

  /// The numbers of a signature in DER, 32 bytes each.
  static func joined(_ der: [UInt8]) -> [UInt8]? {
    guard let signature = Libcrypto.parsed(der, { d2i_ECDSA_SIG(nil, $0, $1) }) else { return nil }
    defer { ECDSA_SIG_free(signature) }
    var (first, second): (OpaquePointer?, OpaquePointer?)
    ECDSA_SIG_get0(signature, &first, &second)
    guard let first, let second else { return nil }
    return Libcrypto.bytes(of: first, count: size) + Libcrypto.bytes(of: second, count: size)
  }

  /// A signature in DER; `nil` for what is not two numbers of 32 bytes.
  static func der(_ joined: [UInt8]) -> [UInt8]? {
    guard joined.count == 2 * size else { return nil }
    let signature = Libcrypto.handle(ECDSA_SIG_new(), "a signature")
    defer { ECDSA_SIG_free(signature) }
    let numbers = [joined.prefix(size), joined.suffix(size)].map { bytes in
      BN_bin2bn(Array(bytes), Int32(size), nil)
    }
    // The signature owns the numbers from now on.
    Libcrypto.require(ECDSA_SIG_set0(signature, numbers[0], numbers[1]), "a signature")
    return Libcrypto.bytes { i2d_ECDSA_SIG(signature, $0) }
  }
}
