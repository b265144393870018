public import GatebookEvents

/// What a server showed of itself before anything was sent to it: enough to ask a person.
public struct ServerCertificate: Hashable, Sendable {
  /// The host that was asked for.
  public let host: String
  /// The port that was asked for.
  public let port: Int
  /// The server's key, which the handshake proved that it has.
  public let key: KeyHash
  /// All that is wrong with the certificate, by the account's authorities and the machine's clock.
  public let defects: Set<CertificateDefect>
  /// Whom the certificate is for, such as `/CN=portal.example`; at most 256 printable characters of
  /// ASCII, and no more than the server's own claim.
  public let subject: String
  /// Who signed the certificate, in the same form and with as little proof.
  public let issuer: String
  /// When the certificate becomes valid; `nil` when it does not say so legibly.
  public let notBefore: Timestamp?
  /// When the certificate expires; `nil` when it does not say so legibly.
  public let notAfter: Timestamp?

  /// Makes a description.
  public init(
    host: String, port: Int, key: KeyHash, defects: Set<CertificateDefect>, subject: String = "",
    issuer: String = "", notBefore: Timestamp? = nil, notAfter: Timestamp? = nil
  ) {
    self.host = host
    self.port = port
    self.key = key
    self.defects = defects
    self.subject = subject
    self.issuer = issuer
    self.notBefore = notBefore
    self.notAfter = notAfter
  }

  /// The same certificate with one more defect.
  package func adding(_ defect: CertificateDefect) -> ServerCertificate {
    ServerCertificate(
      host: host, port: port, key: key, defects: defects.union([defect]), subject: subject,
      issuer: issuer, notBefore: notBefore, notAfter: notAfter)
  }
}
