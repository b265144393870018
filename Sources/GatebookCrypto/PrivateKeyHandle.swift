internal import COpenSSL

/// The owner of libcrypto's private key.
// Unchecked: the key never changes after it was made, and each signature has its own context.
final class PrivateKeyHandle: @unchecked Sendable {
  private let handle: OpaquePointer

  private init(adopting handle: OpaquePointer) {
    self.handle = handle
  }

  deinit {
    EVP_PKEY_free(handle)
  }

  /// A fresh RSA key.
  static func generate(bits: Int) -> PrivateKeyHandle {
    generate("RSA", "an RSA key") { EVP_PKEY_CTX_set_rsa_keygen_bits($0, Int32(bits)) }
  }

  /// A fresh key on the curve P-256.
  static func generateP256() -> PrivateKeyHandle {
    generate("EC", "a key of P-256") { EVP_PKEY_CTX_set_group_name($0, "P-256") }
  }

  private static func generate(
    _ algorithm: StaticString, _ name: StaticString, setting: (OpaquePointer) -> Int32
  ) -> PrivateKeyHandle {
    let context = OpenSSL.handle(
      EVP_PKEY_CTX_new_from_name(nil, OpenSSL.name(algorithm), nil), "a key context")
    defer { EVP_PKEY_CTX_free(context) }
    OpenSSL.require(EVP_PKEY_keygen_init(context), name)
    OpenSSL.require(setting(context), name)
    var key: OpaquePointer?
    OpenSSL.require(EVP_PKEY_generate(context, &key), name)
    return PrivateKeyHandle(adopting: OpenSSL.handle(key, name))
  }

  /// The Ed25519 key of a seed of 32 bytes.
  static func ed25519(seed: [UInt8]) -> PrivateKeyHandle {
    PrivateKeyHandle(
      adopting: OpenSSL.handle(
        EVP_PKEY_new_raw_private_key_ex(nil, "ED25519", nil, seed, seed.count), "an Ed25519 key"))
  }

  /// The first private key of a PEM text.
  static func read(pem: Secret) throws(PrivateKeyRefusal) -> PrivateKeyHandle {
    try pem.withBytes { bytes throws(PrivateKeyRefusal) in try read(pem: bytes) }
  }

  /// An unencrypted PrivateKeyInfo with nothing after it.
  static func read(pkcs8: Secret) throws(PrivateKeyRefusal) -> PrivateKeyHandle {
    try pkcs8.withBytes { bytes throws(PrivateKeyRefusal) in try read(pkcs8: bytes) }
  }

  private static func read(pem: [UInt8]) throws(PrivateKeyRefusal) -> PrivateKeyHandle {
    guard !pem.isEmpty, pem.count <= 1 << 16 else { throw .unreadable }
    var wasAsked = false
    let key = pem.withUnsafeBytes { pem in
      let source = OpenSSL.handle(
        BIO_new_mem_buf(pem.baseAddress, Int32(pem.count)), "a reader of bytes")
      defer { BIO_free(source) }
      // Without this callback libcrypto would ask on the terminal; this one only notes the
      // question.
      return PEM_read_bio_PrivateKey(
        source, nil,
        { _, _, _, wasAsked in
          wasAsked?.assumingMemoryBound(to: Bool.self).pointee = true
          return -1
        }, &wasAsked)
    }
    guard let key else {
      OpenSSL.forgetRefusal()
      throw wasAsked ? .encrypted : .unreadable
    }
    // Reading past a block that was not understood leaves an error in the queue.
    OpenSSL.forgetRefusal()
    return PrivateKeyHandle(adopting: key)
  }

  private static func read(pkcs8: [UInt8]) throws(PrivateKeyRefusal) -> PrivateKeyHandle {
    let information = pkcs8.withUnsafeBufferPointer { bytes -> OpaquePointer? in
      var start = bytes.baseAddress
      let information = d2i_PKCS8_PRIV_KEY_INFO(nil, &start, bytes.count)
      guard start == bytes.baseAddress.map({ $0 + bytes.count }) else {
        PKCS8_PRIV_KEY_INFO_free(information)
        return nil
      }
      return information
    }
    defer { PKCS8_PRIV_KEY_INFO_free(information) }
    guard let information, let key = EVP_PKCS82PKEY(information) else {
      OpenSSL.forgetRefusal()
      throw .unreadable
    }
    OpenSSL.forgetRefusal()
    return PrivateKeyHandle(adopting: key)
  }

  /// Whether it is a plain RSA key: one bound to PSS makes no signatures by PKCS#1 v1.5.
  var isRSA: Bool { EVP_PKEY_is_a(handle, "RSA") == 1 }

  /// Whether it is a key on the curve P-256, which libcrypto calls by its name in ANSI X9.62.
  var isP256: Bool {
    guard EVP_PKEY_is_a(handle, "EC") == 1 else { return false }
    var name = [CChar](repeating: 0, count: 64)
    var count = 0
    guard EVP_PKEY_get_group_name(handle, &name, name.count, &count) == 1 else {
      OpenSSL.forgetRefusal()
      return false
    }
    return name.prefix(count).elementsEqual("prime256v1".utf8.map { CChar(bitPattern: $0) })
  }

  /// Modulus and public exponent, most significant byte first.
  func numbers() -> (modulus: [UInt8], exponent: [UInt8]) {
    (number(OSSL_PKEY_PARAM_RSA_N), number(OSSL_PKEY_PARAM_RSA_E))
  }

  /// The bytes of an Ed25519 key's public part.
  func rawPublicKey() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Ed25519.publicKeyCount) { buffer, initialized in
      initialized = Ed25519.publicKeyCount
      let status = EVP_PKEY_get_raw_public_key(handle, buffer.baseAddress, &initialized)
      OpenSSL.require(status, "a public key")
    }
  }

  /// Both coordinates of the public point, most significant byte first, of this many bytes each.
  func coordinates(count: Int) -> (x: [UInt8], y: [UInt8]) {
    (
      number(OSSL_PKEY_PARAM_EC_PUB_X, count: count),
      number(OSSL_PKEY_PARAM_EC_PUB_Y, count: count)
    )
  }

  private func number(_ name: String, count: Int? = nil) -> [UInt8] {
    var number: OpaquePointer?
    OpenSSL.require(EVP_PKEY_get_bn_param(handle, name, &number), "a number of a key")
    defer { BN_free(number) }
    let count = count ?? Int(BN_num_bits(number) + 7) / 8
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let written = BN_bn2binpad(number, buffer.baseAddress, Int32(count))
      precondition(written == count, "libcrypto gave a number of another length.")
      initialized = count
    }
  }

  /// The unencrypted PrivateKeyInfo in DER (RFC 5208 section 5).
  func pkcs8() -> Secret {
    let information = OpenSSL.handle(EVP_PKEY2PKCS8(handle), "a key's bytes")
    // Also wipes its copy of the numbers.
    defer { PKCS8_PRIV_KEY_INFO_free(information) }
    let count = Int(i2d_PKCS8_PRIV_KEY_INFO(information, nil))
    precondition(count > 0, "libcrypto could not finish a key's bytes.")
    var bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var start = buffer.baseAddress
      initialized = Int(i2d_PKCS8_PRIV_KEY_INFO(information, &start))
    }
    return Secret(taking: &bytes)
  }

  /// The signature; `nil` if the machine's policy refuses the hash.
  ///
  /// Ed25519 takes no hash.
  func sign(
    _ message: [UInt8], with hash: HashFunction?, padding: RSAPadding? = nil
  ) -> [UInt8]? {
    let context = OpenSSL.handle(EVP_MD_CTX_new(), "a signature context")
    defer { EVP_MD_CTX_free(context) }
    // Belongs to the context above.
    var keyContext: OpaquePointer?
    guard EVP_DigestSignInit_ex(context, &keyContext, hash?.name, nil, nil, handle, nil) == 1,
      padding?.set(in: keyContext) != false
    else {
      OpenSSL.forgetRefusal()
      return nil
    }
    let count = Int(EVP_PKEY_get_size(handle))
    var isSigned = false
    let signature = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = count
      isSigned =
        EVP_DigestSign(context, buffer.baseAddress, &initialized, message, message.count) == 1
      if !isSigned { initialized = 0 }
    }
    guard isSigned else {
      // The numbers of a damaged key contradict each other only here.
      OpenSSL.forgetRefusal()
      return nil
    }
    return signature
  }
}

/// Why a private key was not taken, or did not sign.
package enum PrivateKeyRefusal: Error, Hashable, Sendable {
  /// The key is protected by a passphrase; nobody is asked for it.
  case encrypted
  /// The bytes are no private key in PKCS#8 or in its algorithm's own format.
  case unreadable
  /// The key is one for other signatures: not RSA by PKCS#1 v1.5, or not on the curve P-256.
  case otherAlgorithm
  /// The modulus is shorter or longer than what is taken.
  case size
  /// This machine signs with no such hash, such as SHA-1 where its policy forbids it.
  case hash
}
