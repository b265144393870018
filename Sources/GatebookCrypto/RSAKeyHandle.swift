internal import COpenSSL

/// The owner of libcrypto's private key.
// Unchecked: the key never changes after it was made, and each signature has its own context.
final class RSAKeyHandle: @unchecked Sendable {
  private let handle: OpaquePointer

  private init(adopting handle: OpaquePointer) {
    self.handle = handle
  }

  deinit {
    EVP_PKEY_free(handle)
  }

  static func generate(bits: Int) -> RSAKeyHandle {
    let context = OpenSSL.handle(EVP_PKEY_CTX_new_from_name(nil, "RSA", nil), "a key context")
    defer { EVP_PKEY_CTX_free(context) }
    OpenSSL.require(EVP_PKEY_keygen_init(context), "an RSA key")
    OpenSSL.require(EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(bits)), "an RSA key")
    var key: OpaquePointer?
    OpenSSL.require(EVP_PKEY_generate(context, &key), "an RSA key")
    return RSAKeyHandle(adopting: OpenSSL.handle(key, "an RSA key"))
  }

  /// The first private key of a PEM text.
  static func read(pem: [UInt8]) throws(RSAKeyRefusal) -> RSAKeyHandle {
    guard !pem.isEmpty, pem.count <= 1 << 16 else { throw .unreadable }
    var wasAsked = false
    let key = pem.withUnsafeBytes { pem in
      let source = OpenSSL.handle(
        BIO_new_mem_buf(pem.baseAddress, Int32(pem.count)), "a reader of bytes")
      defer { BIO_free(source) }
      // Without this callback libcrypto would ask on the terminal; this one only notes the question.
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
    // Reading on from a block that was not understood leaves its complaint behind.
    OpenSSL.forgetRefusal()
    return RSAKeyHandle(adopting: key)
  }

  /// An unencrypted PrivateKeyInfo with nothing behind it.
  static func read(pkcs8: [UInt8]) throws(RSAKeyRefusal) -> RSAKeyHandle {
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
    return RSAKeyHandle(adopting: key)
  }

  /// Whether it is a plain RSA key: one bound to PSS makes no signatures by PKCS#1 v1.5.
  var isRSA: Bool { EVP_PKEY_is_a(handle, "RSA") == 1 }

  /// Modulus and public exponent, most significant byte first.
  func numbers() -> (modulus: [UInt8], exponent: [UInt8]) {
    (number(OSSL_PKEY_PARAM_RSA_N), number(OSSL_PKEY_PARAM_RSA_E))
  }

  private func number(_ name: String) -> [UInt8] {
    var number: OpaquePointer?
    OpenSSL.require(EVP_PKEY_get_bn_param(handle, name, &number), "a number of a key")
    defer { BN_free(number) }
    let count = Int(BN_num_bits(number) + 7) / 8
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      initialized = Int(BN_bn2bin(number, buffer.baseAddress))
    }
  }

  func pkcs8() -> [UInt8] {
    let information = OpenSSL.handle(EVP_PKEY2PKCS8(handle), "a key's bytes")
    // Also wipes its copy of the numbers.
    defer { PKCS8_PRIV_KEY_INFO_free(information) }
    let count = Int(i2d_PKCS8_PRIV_KEY_INFO(information, nil))
    precondition(count > 0, "libcrypto could not finish a key's bytes.")
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var start = buffer.baseAddress
      initialized = Int(i2d_PKCS8_PRIV_KEY_INFO(information, &start))
    }
  }

  /// The signature; `nil` if the machine's policy refuses the hash.
  func sign(_ message: [UInt8], with hash: HashFunction) -> [UInt8]? {
    let context = OpenSSL.handle(EVP_MD_CTX_new(), "a signature context")
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestSignInit_ex(context, nil, hash.name, nil, nil, handle, nil) == 1 else {
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
