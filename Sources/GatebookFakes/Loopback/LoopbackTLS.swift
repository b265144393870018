/// How a loopback server speaks TLS: who it says it is, and whom it asks.
///
/// Sessions are never resumed: every connection shows its certificates again.
public struct LoopbackTLS: Hashable, Sendable {
  /// What a server does about clients' certificates.
  public enum ClientCertificates: Hashable, Sendable {
    /// It does not ask for one.
    case ignored
    /// It asks; a client without one is served all the same, a bad one ends the handshake.
    ///
    /// - Parameter of: The authorities whose clients it knows.
    case requested(of: [TestCertificate])
    /// It asks; a client without a good one is not served.
    ///
    /// With TLS 1.3 the client learns that only at its first read (RFC 8446 section 4.4.2.4).
    ///
    /// - Parameter of: The authorities whose clients it knows.
    case required(of: [TestCertificate])
  }

  /// A version of TLS.
  public enum Version: Hashable, Sendable, CaseIterable {
    /// RFC 5246.
    case tls12
    /// RFC 8446.
    case tls13
  }

  /// The server's certificate and key.
  public var identity: TestCertificate
  /// What the server does about clients' certificates.
  public var clientCertificates: ClientCertificates
  /// The newest version that it speaks; the oldest is 1.2.
  public var newestVersion: Version

  /// Says how a server speaks TLS.
  ///
  /// - Parameters:
  ///   - identity: The server's certificate and key.
  ///   - clientCertificates: What it does about clients' certificates; it asks for none unless
  ///     given.
  ///   - newestVersion: The newest version that it speaks.
  public init(
    _ identity: TestCertificate, clientCertificates: ClientCertificates = .ignored,
    newestVersion: Version = .tls13
  ) {
    self.identity = identity
    self.clientCertificates = clientCertificates
    self.newestVersion = newestVersion
  }
}
