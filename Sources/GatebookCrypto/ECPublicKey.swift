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

/// A curve that ECDSA signatures are made on, by its name in keys (RFC 7518 section 6.2.1.1).
package enum EllipticCurve: String, Hashable, Sendable, CaseIterable {
  /// NIST's P-256 (ES256).
  case p256 = "P-256"
  /// NIST's P-384 (ES384).
  case p384 = "P-384"
  /// NIST's P-521 (ES512).
  case p521 = "P-521"

  /// The number of bytes in a coordinate, and in each half of a signature.
  package var coordinateCount: Int {
    switch self {
    case .p256: 32
    case .p384: 48
    case .p521: 66
    }
  }

  /// The hash that is signed on this curve (RFC 7518 section 3.4).
  package var hash: HashFunction {
    switch self {
    case .p256: .sha256
    case .p384: .sha384
    case .p521: .sha512
    }
  }

  /// libcrypto's name of the curve.
  var name: StaticString {
    switch self {
    case .p256: "P-256"
    case .p384: "P-384"
    case .p521: "P-521"
    }
  }
}
