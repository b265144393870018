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

/// How the TLS handshake of one connection ended, as the server saw it.
public struct LoopbackHandshake: Hashable, Sendable {
  /// The connection, counted as in ``LoopbackRequest/connection``.
  public var connection: Int
  /// The version that was agreed on, such as `TLSv1.3`; empty when it came to nothing.
  public var version: String
  /// Why it came to nothing, in OpenSSL's words; `nil` when it succeeded.
  ///
  /// A client that refuses the server's certificate shows here as an alert, such as
  /// `tlsv1 alert unknown ca`.
  public var failure: String?
  /// The pin of the client's certificate (``TestCertificate/pin``); `nil` when it showed none.
  public var clientPin: String?
}
