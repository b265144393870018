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
    guard handle() != nil else { return nil }
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
    return key.verify(signature, of: message, with: curve.hash)
  }

  /// libcrypto's key; `nil` if the point is not on the curve.
  private func handle() -> PublicKeyHandle? {
    let name = UnsafeRawBufferPointer(
      start: curve.name.utf8Start, count: curve.name.utf8CodeUnitCount)
    // SEC 1 section 2.3.3: the uncompressed form of a point.
    return ([4] + x + y).withUnsafeBytes { point in
      PublicKeyHandle(
        "EC",
        [
          OpenSSL.parameter("group", UInt32(OSSL_PARAM_UTF8_STRING), name),
          OpenSSL.parameter("pub", UInt32(OSSL_PARAM_OCTET_STRING), point),
        ])
    }
  }
}
