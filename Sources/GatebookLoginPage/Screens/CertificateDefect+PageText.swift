internal import Gatebook

extension CertificateDefect {
  /// What the page says of it.
  var text: PageText {
    switch self {
    case .expired: .defectExpired
    case .notYetValid: .defectNotYetValid
    case .wrongHost: .defectWrongHost
    case .selfSigned: .defectSelfSigned
    case .unknownAuthority: .defectUnknownAuthority
    case .revoked: .defectRevoked
    case .badSignature: .defectBadSignature
    case .other: .defectOther
    }
  }
}
