internal import COpenSSL

/// AES-256-GCM (NIST SP 800-38D) under one key, whose schedule is computed once.
///
/// Belongs to one thread at a time. The key is wiped with the context.
package final class AuthenticatedCipher {
  /// The number of bytes in a key.
  package static let keyCount = 32
  /// The number of bytes in a nonce (SP 800-38D section 5.2.1.1 recommends 96 bits).
  package static let nonceCount = 12
  /// The number of bytes in the tag after the ciphertext.
  package static let tagCount = 16

  // Looked up once: libcrypto searches its providers at each fetch. It is never changed.
  private nonisolated(unsafe) static let algorithm = OpenSSL.handle(
    EVP_CIPHER_fetch(nil, "AES-256-GCM", nil), "AES-256-GCM")

  // One for both directions: GCM encrypts blocks with the same schedule in both.
  private let context: OpaquePointer

  /// Sets the key for both directions.
  ///
  /// - Parameter key: Exactly 32 bytes; anything else ends the program.
  package init(key: [UInt8]) {
    precondition(key.count == AuthenticatedCipher.keyCount, "An AES-256 key has 32 bytes.")
    context = OpenSSL.handle(EVP_CIPHER_CTX_new(), "a cipher context")
    OpenSSL.require(
      EVP_EncryptInit_ex2(context, AuthenticatedCipher.algorithm, key, nil, nil), "a key schedule")
  }

  deinit {
    EVP_CIPHER_CTX_free(context)
  }

  /// Appends the ciphertext and its 16-byte tag to bytes that end with the nonce.
  ///
  /// - Parameters:
  ///   - plaintext: Any number of bytes, also none.
  ///   - associated: Bytes that must be the same when opening, and are not part of the result.
  ///   - bytes: Their last 12 are the nonce, never used twice under one key.
  package func seal(
    _ plaintext: [UInt8], associated: [UInt8], behindNonceIn bytes: inout [UInt8]
  ) {
    let start = bytes.count
    precondition(start >= AuthenticatedCipher.nonceCount, "A nonce has 12 bytes.")
    let count = plaintext.count + AuthenticatedCipher.tagCount
    bytes.append(contentsOf: repeatElement(0, count: count))
    bytes.withUnsafeMutableBufferPointer { buffer in
      guard let output = buffer.baseAddress.map({ $0 + start }) else { return }
      OpenSSL.require(
        EVP_EncryptInit_ex2(context, nil, nil, output - AuthenticatedCipher.nonceCount, nil),
        "a nonce")
      pass(associated, associated.count, "associated data")
      pass(plaintext, plaintext.count, into: output, "sealing")
      finishSealing(tag: output + plaintext.count)
    }
  }

  /// Passes bytes through the context, if there are any.
  private func pass(
    _ bytes: UnsafePointer<UInt8>?, _ count: Int,
    into output: UnsafeMutablePointer<UInt8>? = nil, _ name: StaticString
  ) {
    guard count > 0 else { return }
    var written: Int32 = 0
    OpenSSL.require(EVP_CipherUpdate(context, output, &written, bytes, Int32(count)), name)
  }

  private func finishSealing(tag: UnsafeMutablePointer<UInt8>) {
    var written: Int32 = 0
    OpenSSL.require(EVP_EncryptFinal_ex(context, tag, &written), "sealing")
    let count = Int32(AuthenticatedCipher.tagCount)
    OpenSSL.require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, count, tag), "a tag")
  }

  /// The plaintext; `nil` unless key, nonce, associated bytes, ciphertext and tag belong together.
  ///
  /// A nonce or an input of the wrong length is refused alike.
  package func open(_ sealed: [UInt8], nonce: [UInt8], associated: [UInt8]) -> [UInt8]? {
    let count = sealed.count - AuthenticatedCipher.tagCount
    guard count >= 0, nonce.count == AuthenticatedCipher.nonceCount else { return nil }
    var isAuthentic = false
    let plaintext = sealed.withUnsafeBufferPointer { sealed in
      // All empty arrays share one storage: room for one byte keeps it from being written to.
      [UInt8](unsafeUninitializedCapacity: max(1, count)) { buffer, initialized in
        OpenSSL.require(EVP_DecryptInit_ex2(context, nil, nil, nonce, nil), "a nonce")
        pass(associated, associated.count, "associated data")
        isAuthentic = decrypt(sealed, into: buffer.baseAddress, count)
        initialized = isAuthentic ? count : 0
      }
    }
    return isAuthentic ? plaintext : nil
  }

  /// Whether the tag fits; if it does not, nothing of the plaintext stays in the output.
  private func decrypt(
    _ sealed: UnsafeBufferPointer<UInt8>, into output: UnsafeMutablePointer<UInt8>?, _ count: Int
  ) -> Bool {
    pass(sealed.baseAddress, count, into: output, "opening")
    // The control call takes a mutable pointer for both directions and only reads here.
    let tag = UnsafeMutableRawPointer(mutating: sealed.baseAddress.map { $0 + count })
    let tagCount = Int32(AuthenticatedCipher.tagCount)
    OpenSSL.require(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, tagCount, tag), "a tag")
    // The final step writes no bytes, but an address must be given even for an empty plaintext.
    var nothing: UInt8 = 0
    var written: Int32 = 0
    guard EVP_DecryptFinal_ex(context, &nothing, &written) == 1 else {
      // SP 800-38D section 7.2: without the right tag only FAIL is returned, no plaintext.
      OPENSSL_cleanse(output, count)
      OpenSSL.forgetRefusal()
      return false
    }
    return true
  }
}
