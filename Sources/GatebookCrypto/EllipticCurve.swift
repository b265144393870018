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
