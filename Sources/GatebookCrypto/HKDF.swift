internal import COpenSSL

/// Keys derived from a key (RFC 5869).
package enum HKDF {
  /// Extracts and expands with HMAC-SHA-256.
  ///
  /// - Parameters:
  ///   - secret: The input keying material; at least one byte, of high entropy, never a password.
  ///   - salt: May be empty, which stands for 32 zero bytes (RFC 5869 section 2.2).
  ///   - info: What the key is for; other words give an independent key.
  ///   - count: 1 to 8,160 bytes (RFC 5869 section 2.3: "L <= 255*HashLen").
  /// - Returns: As many bytes as asked for.
  package static func sha256(
    secret: [UInt8], salt: [UInt8], info: [UInt8], count: Int
  ) -> [UInt8] {
    precondition(!secret.isEmpty, "A key is derived from at least one byte.")
    precondition((1...255 * Digest.count).contains(count), "HKDF gives 1 to 8,160 bytes.")
    let algorithm = OpenSSL.handle(EVP_KDF_fetch(nil, "HKDF", nil), "HKDF")
    defer { EVP_KDF_free(algorithm) }
    let context = OpenSSL.handle(EVP_KDF_CTX_new(algorithm), "a derivation context")
    defer { EVP_KDF_CTX_free(context) }
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      withParameters(secret: secret, salt: salt, info: info) { parameters in
        let status = EVP_KDF_derive(context, buffer.baseAddress, count, parameters)
        OpenSSL.require(status, "HKDF")
      }
      initialized = count
    }
  }

  /// Lends the parameters while what they point at is in scope; libcrypto only reads from them.
  private static func withParameters(
    secret: [UInt8], salt: [UInt8], info: [UInt8], _ body: ([OSSL_PARAM]) -> Void
  ) {
    let digest: StaticString = "SHA256"
    let name = UnsafeRawBufferPointer(start: digest.utf8Start, count: digest.utf8CodeUnitCount)
    secret.withUnsafeBytes { secret in
      salt.withUnsafeBytes { salt in
        info.withUnsafeBytes { info in
          body([
            OpenSSL.parameter("digest", UInt32(OSSL_PARAM_UTF8_STRING), name),
            OpenSSL.parameter("key", UInt32(OSSL_PARAM_OCTET_STRING), secret),
            OpenSSL.parameter("salt", UInt32(OSSL_PARAM_OCTET_STRING), salt),
            OpenSSL.parameter("info", UInt32(OSSL_PARAM_OCTET_STRING), info),
            OSSL_PARAM_construct_end(),
          ])
        }
      }
    }
  }
}
