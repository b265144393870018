/// What is wrong with a server's certificate.
///
/// The names are codes: they stand in events, records and JSON, and are frozen.
public enum CertificateDefect: String, CaseIterable, Hashable, Sendable {
  /// It, or one that vouches for it, is past its last day.
  case expired
  /// It, or one that vouches for it, is before its first day.
  case notYetValid
  /// It does not name the host.
  case wrongHost
  /// It vouches for itself.
  case selfSigned
  /// None of the trusted authorities vouches for it.
  case unknownAuthority
  /// Its authority took it back.
  case revoked
  /// It, or one that vouches for it, was altered after it was signed.
  case badSignature
  /// Anything else, such as a weak key or a certificate that is not for servers.
  case other

  /// The defect as the end of a sentence that starts with "The certificate".
  public var explanation: String {
    switch self {
    case .expired: "has expired"
    case .notYetValid: "is not yet valid"
    case .wrongHost: "is for another host name"
    case .selfSigned: "is self-signed"
    case .unknownAuthority: "is signed by an unknown authority"
    case .revoked: "was revoked"
    case .badSignature: "has a bad signature"
    case .other: "is not meant for this purpose"
    }
  }
}

extension Set<CertificateDefect> {
  /// The defects in the order of their declaration.
  public var sorted: [CertificateDefect] {
    CertificateDefect.allCases.filter { contains($0) }
  }
}
