internal import COpenSSL

/// The owner of libcrypto's public key, for one check of a signature.
final class PublicKeyHandle {
  private let handle: OpaquePointer

  /// Takes a key's numbers; `nil` if libcrypto does not take them.
  ///
  /// - Parameters:
  ///   - algorithm: libcrypto's name of the key's kind.
  ///   - parameters: The numbers, without the mark of their end.
  init?(_ algorithm: StaticString, _ parameters: [OSSL_PARAM]) {
    let context = OpenSSL.handle(
      EVP_PKEY_CTX_new_from_name(nil, OpenSSL.name(algorithm), nil), "a key context")
    defer { EVP_PKEY_CTX_free(context) }
    OpenSSL.require(EVP_PKEY_fromdata_init(context), "a public key")
    var key: OpaquePointer?
    var parameters = parameters + [OSSL_PARAM_construct_end()]
    let status = EVP_PKEY_fromdata(context, &key, gatebook_public_key_selection(), &parameters)
    guard status == 1, let key else {
      OpenSSL.forgetRefusal()
      return nil
    }
    handle = key
  }

  /// Takes the 32 bytes of an Ed25519 key.
  init(ed25519 bytes: [UInt8]) {
    handle = OpenSSL.handle(
      EVP_PKEY_new_raw_public_key_ex(nil, "ED25519", nil, bytes, bytes.count), "an Ed25519 key")
  }

  deinit {
    EVP_PKEY_free(handle)
  }

  /// Whether the key's owner signed the message; `false` for malformed signatures too.
  ///
  /// - Parameters:
  ///   - signature: The signature as libcrypto takes it.
  ///   - message: What was hashed and signed.
  ///   - hash: The hash; `nil` for Ed25519, which takes none.
  ///   - padding: How the hash was padded; `nil` for keys that pad nothing.
  /// - Returns: `true` if the signature is the key's own over this message.
  func verify(
    _ signature: [UInt8], of message: [UInt8], with hash: HashFunction?, padding: RSAPadding? = nil
  ) -> Bool {
    let context = OpenSSL.handle(EVP_MD_CTX_new(), "a signature context")
    defer { EVP_MD_CTX_free(context) }
    // Belongs to the context above.
    var keyContext: OpaquePointer?
    guard EVP_DigestVerifyInit_ex(context, &keyContext, hash?.name, nil, nil, handle, nil) == 1,
      padding?.set(in: keyContext) != false,
      EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    else {
      OpenSSL.forgetRefusal()
      return false
    }
    return true
  }
}
