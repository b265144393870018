public import GatebookEvents

/// What a server showed before anything was sent to it; enough to ask the user.
public struct ServerCertificate: Hashable, Sendable {
  /// The host that was asked for.
  public let host: String
  /// The port that was asked for.
  public let port: Int
  /// The server's key, which the handshake proved that it has.
  public let key: KeyHash
  /// All defects of the certificate, by the account's authorities and this machine's clock.
  public let defects: Set<CertificateDefect>
  /// The subject of the certificate, such as `/CN=portal.example`; at most 256 printable ASCII
  /// characters, and only the server's own claim.
  public let subject: String
  /// The issuer of the certificate, in the same form; also only a claim.
  public let issuer: String
  /// When the certificate becomes valid; `nil` if it does not say so in a readable form.
  public let notBefore: Timestamp?
  /// When the certificate expires; `nil` if it does not say so in a readable form.
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

/// An account's client certificate for servers that ask for one, as two PEM files.
///
/// The files are read for each connection. An encrypted key is rejected, because nothing asks for
/// its password.
public struct ClientCertificate: Hashable, Sendable {
  /// The path of the certificate, followed by its chain.
  public let certificate: String
  /// The path of its private key, unencrypted.
  public let key: String

  /// Takes the paths; both may be the same file.
  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}
