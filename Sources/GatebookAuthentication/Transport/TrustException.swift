public import GatebookEvents

/// One key that is accepted on one host and port although its certificate has defects.
///
/// It accepts exactly that key with exactly those defects. Compare the key with the one that the server's
/// administrator names before you accept it.
public struct TrustException: Hashable, Sendable {
  /// The host in lower case, as in URLs; an IPv6 address without its brackets.
  public let host: String
  /// The port.
  public let port: Int
  /// The only key that is accepted.
  public let key: KeyHash
  /// The accepted defects; any other one is still rejected.
  public let defects: Set<CertificateDefect>

  /// Makes an exception.
  public init(host: String, port: Int, key: KeyHash, defects: Set<CertificateDefect>) {
    self.host = host.lowercased()
    self.port = port
    self.key = key
    self.defects = defects
  }

  /// Accepts a server's key with its present defects.
  public init(accepting certificate: ServerCertificate) {
    self.init(
      host: certificate.host, port: certificate.port, key: certificate.key,
      defects: certificate.defects)
  }
}
