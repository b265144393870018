internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookFakes

/// The servers of the table: what they show, and what is wrong with it.
enum ServerKind: String, CaseIterable, Sendable {
  case selfSigned, selfSignedAndExpired, selfSignedForAnother
  case issued, issuedAndExpired, issuedTooEarly, issuedForAnother, forged, issuedByStranger

  /// Makes the server's certificate; `authority` is the one that accounts may trust.
  func certificate(_ authority: TestAuthority) throws -> TestCertificate {
    switch self {
    case .selfSigned: try .selfSigned()
    case .selfSignedAndExpired: try .selfSigned(validity: .expired)
    case .selfSignedForAnother: try .selfSigned(TestCertificate.elsewhere)
    case .issued: try authority.issue()
    case .issuedAndExpired: try authority.issue(validity: .expired)
    case .issuedTooEarly: try authority.issue(validity: .notYetValid)
    case .issuedForAnother: try authority.issue(TestCertificate.elsewhere)
    case .forged: try authority.forge()
    case .issuedByStranger: try TestAuthority("Stranger").issue()
    }
  }

  /// What is wrong with it for an account that trusts the authority.
  var defects: Set<CertificateDefect> {
    switch self {
    case .selfSigned: [.selfSigned]
    case .selfSignedAndExpired: [.selfSigned, .expired]
    case .selfSignedForAnother: [.selfSigned, .wrongHost]
    case .issued: []
    case .issuedAndExpired: [.expired]
    case .issuedTooEarly: [.notYetValid]
    case .issuedForAnother: [.wrongHost]
    case .forged: [.badSignature]
    case .issuedByStranger: [.unknownAuthority]
    }
  }

  /// What is wrong with it for an account that trusts the machine's authorities.
  var defectsForStrangers: Set<CertificateDefect> {
    // Nobody knows the key that could tell a forged signature.
    let defects = self == .forged ? [] : defects
    return defects.contains(.selfSigned) ? defects : defects.union([.unknownAuthority])
  }
}
