/// One key that is accepted on one host and port although its certificate has defects.
///
/// It opens exactly that key, with exactly those defects; whoever accepts them should have compared
/// the key with what the server's owner says.
public struct TrustException: Hashable, Sendable {
  /// The host in lower case, as it stands in URLs; an IPv6 address without its brackets.
  public let host: String
  /// The port.
  public let port: Int
  /// The only key that is accepted.
  public let key: KeyHash
  /// The defects that are accepted; any other one is still refused.
  public let defects: Set<CertificateDefect>

  /// Makes an exception.
  public init(host: String, port: Int, key: KeyHash, defects: Set<CertificateDefect>) {
    self.host = host.lowercased()
    self.port = port
    self.key = key
    self.defects = defects
  }

  /// Accepts what a server showed: its key with the defects that it has now.
  public init(accepting certificate: ServerCertificate) {
    self.init(
      host: certificate.host, port: certificate.port, key: certificate.key,
      defects: certificate.defects)
  }
}
