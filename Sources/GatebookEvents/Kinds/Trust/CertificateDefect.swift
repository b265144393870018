/// A defect of a server's certificate.
///
/// The names are codes in events, records and JSON, and never change.
public enum CertificateDefect: String, CaseIterable, Hashable, Sendable {
  /// It, or a certificate in its chain, has expired.
  case expired
  /// It, or a certificate in its chain, is not yet valid.
  case notYetValid
  /// It does not name the host.
  case wrongHost
  /// It is self-signed.
  case selfSigned
  /// No trusted authority signed it.
  case unknownAuthority
  /// Its authority revoked it.
  case revoked
  /// The signature of it, or of a certificate in its chain, is wrong.
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
    case .other: "may not be used for this purpose"
    }
  }
}

extension Set<CertificateDefect> {
  /// The defects in the order of their declaration.
  public var sorted: [CertificateDefect] {
    CertificateDefect.allCases.filter { contains($0) }
  }
}
