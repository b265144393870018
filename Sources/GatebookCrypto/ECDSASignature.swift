internal import COpenSSL

/// The two forms of an ECDSA signature: that of JSON Web Signatures, and libcrypto's DER.
///
/// RFC 7518 section 3.4: r and s "turned into octet sequences in big-endian order", of the length
/// of the curve, one after the other; never DER.
enum ECDSASignature {
  /// The DER form (RFC 3279 section 2.2.3) of `r || s`; `nil` unless there are two whole halves.
  static func der(_ raw: [UInt8], on curve: EllipticCurve) -> [UInt8]? {
    let half = curve.coordinateCount
    guard raw.count == 2 * half else { return nil }
    let signature = OpenSSL.handle(ECDSA_SIG_new(), "a signature")
    defer { ECDSA_SIG_free(signature) }
    let first = OpenSSL.handle(BN_bin2bn(raw, Int32(half), nil), "a number")
    let second = OpenSSL.handle(BN_bin2bn(Array(raw[half...]), Int32(half), nil), "a number")
    // Takes both numbers over.
    OpenSSL.require(ECDSA_SIG_set0(signature, first, second), "a signature")
    let count = Int(i2d_ECDSA_SIG(signature, nil))
    precondition(count > 0, "libcrypto failed to make a signature.")
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var start = buffer.baseAddress
      initialized = Int(i2d_ECDSA_SIG(signature, &start))
    }
  }

  /// `r || s` of a signature that libcrypto made.
  static func raw(_ der: [UInt8], on curve: EllipticCurve) -> [UInt8] {
    let half = curve.coordinateCount
    let signature = der.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return OpenSSL.handle(d2i_ECDSA_SIG(nil, &start, bytes.count), "a signature")
    }
    defer { ECDSA_SIG_free(signature) }
    let numbers = [ECDSA_SIG_get0_r(signature), ECDSA_SIG_get0_s(signature)]
    return numbers.flatMap { number in
      [UInt8](unsafeUninitializedCapacity: half) { buffer, initialized in
        let written = BN_bn2binpad(number, buffer.baseAddress, Int32(half))
        precondition(written == half, "libcrypto made a signature of another curve.")
        initialized = half
      }
    }
  }
}
