/// The certificate by which an account shows itself to servers that ask for one, as two PEM files.
///
/// The files stay where they are and are read for each connection. An encrypted key is refused:
/// nobody is asked for its password.
public struct ClientCertificate: Hashable, Sendable {
  /// The path of the certificate, with those that lead to its authority behind it.
  public let certificate: String
  /// The path of its private key, unencrypted.
  public let key: String

  /// Names the files; both may be the same one.
  public init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }
}
