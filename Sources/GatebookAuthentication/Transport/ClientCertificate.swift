/// An account's client certificate for servers that ask for one, as two PEM files.
///
/// The files are read for each connection. An encrypted key is rejected, because nothing asks for its password.
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
