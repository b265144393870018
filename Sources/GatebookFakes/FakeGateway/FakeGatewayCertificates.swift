public import Gatebook

/// The certificates that a fake gateway shows in tests of trust.
///
/// | Certificate | Signed by | Right name | Valid | Key |
/// |---|---|---|---|---|
/// | ``good`` | the authority | yes | yes | own |
/// | ``selfSigned`` (A) | itself | yes | yes | own |
/// | ``renewed`` | itself | yes | yes | that of A |
/// | ``otherKey`` (B) | itself | yes | yes | own |
/// | ``expired`` (C) | the authority | yes | no | own |
/// | ``expiredSelfSigned`` (C) | itself | yes | no | own |
/// | ``wrongName`` (D) | the authority | no | yes | own |
/// | ``wrongNameSelfSigned`` (D) | itself | no | yes | own |
/// | ``forged`` | another key, in the authority's name | yes | yes | own |
public struct FakeGatewayCertificates: Hashable, Sendable {
  /// The authority, which also signs clients' certificates.
  public let authority: TestAuthority
  /// A certificate without a defect for who trusts the authority.
  public let good: TestCertificate
  /// A: signs itself, right name.
  public let selfSigned: TestCertificate
  /// What A becomes when it is renewed with its key: another certificate, the same pin.
  public let renewed: TestCertificate
  /// B: like A, with another key.
  public let otherKey: TestCertificate
  /// C: expired, its only defect.
  public let expired: TestCertificate
  /// C: expired, and signs itself.
  public let expiredSelfSigned: TestCertificate
  /// D: wrong name, its only defect.
  public let wrongName: TestCertificate
  /// D: wrong name, and signs itself.
  public let wrongNameSelfSigned: TestCertificate
  /// Names the authority, which did not sign it.
  public let forged: TestCertificate

  /// Makes all certificates; except for those with a wrong name, they are for 127.0.0.1 and
  /// localhost.
  ///
  /// - Parameter authority: The authority; a new one unless given.
  /// - Throws: `configuration.invalid` when libcrypto refuses a name.
  public init(authority: TestAuthority = TestAuthority()) throws(GatebookError) {
    self.authority = authority
    good = try authority.issue()
    selfSigned = try .selfSigned()
    renewed = try .selfSigned(keyOf: selfSigned)
    otherKey = try .selfSigned()
    expired = try authority.issue(validity: .expired)
    expiredSelfSigned = try .selfSigned(validity: .expired)
    wrongName = try authority.issue(TestCertificate.elsewhere)
    wrongNameSelfSigned = try .selfSigned(TestCertificate.elsewhere)
    forged = try authority.forge()
  }
}
