internal import COpenSSL

/// A public key on one of NIST's curves, which verifies ECDSA signatures (FIPS 186-5 section 6).
package struct ECPublicKey: Hashable, Sendable {
  /// The curve.
  package let curve: EllipticCurve
  /// The point's first coordinate, as many bytes as the curve has.
  package let x: [UInt8]
  /// The point's second coordinate, as many bytes as the curve has.
  package let y: [UInt8]

  /// Takes a point; `nil` if it is none of the curve's or has coordinates of another length.
  ///
  /// RFC 7518 section 6.2.1.2: "The length of this octet string MUST be the full size of a
  /// coordinate for the curve".
  package init?(curve: EllipticCurve, x: [UInt8], y: [UInt8]) {
    guard x.count == curve.coordinateCount, y.count == curve.coordinateCount else { return nil }
    self.curve = curve
    self.x = x
    self.y = y
    guard let key = handle() else { return nil }
    EVP_PKEY_free(key)
  }

  /// Whether the key's owner signed the message; `false` for malformed signatures too.
  ///
  /// - Parameters:
  ///   - signature: `r || s`, each as long as a coordinate; DER is refused.
  ///   - message: What was hashed, with the curve's own hash, and signed.
  /// - Returns: `true` if the signature is the key's own over this message.
  package func verify(_ signature: [UInt8], of message: [UInt8]) -> Bool {
    guard let signature = ECDSASignature.der(signature, on: curve), let key = handle() else {
      return false
    }
    defer { EVP_PKEY_free(key) }
    let context = OpenSSL.handle(EVP_MD_CTX_new(), "a signature context")
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestVerifyInit_ex(context, nil, curve.hash.name, nil, nil, key, nil) == 1,
      EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    else {
      OpenSSL.forgetRefusal()
      return false
    }
    return true
  }

  /// libcrypto's key, which the caller frees; `nil` if the point is not on the curve.
  private func handle() -> OpaquePointer? {
    let context = OpenSSL.handle(EVP_PKEY_CTX_new_from_name(nil, "EC", nil), "a key context")
    defer { EVP_PKEY_CTX_free(context) }
    OpenSSL.require(EVP_PKEY_fromdata_init(context), "a public key")
    var key: OpaquePointer?
    let name = UnsafeRawBufferPointer(
      start: curve.name.utf8Start, count: curve.name.utf8CodeUnitCount)
    // SEC 1 section 2.3.3: the uncompressed form of a point.
    let status = ([4] + x + y).withUnsafeBytes { point in
      var parameters = [
        OpenSSL.parameter("group", UInt32(OSSL_PARAM_UTF8_STRING), name),
        OpenSSL.parameter("pub", UInt32(OSSL_PARAM_OCTET_STRING), point),
        OSSL_PARAM_construct_end(),
      ]
      return EVP_PKEY_fromdata(context, &key, gatebook_public_key_selection(), &parameters)
    }
    guard status == 1 else {
      OpenSSL.forgetRefusal()
      return nil
    }
    return key
  }
}
