internal import COpenSSLTLS

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
