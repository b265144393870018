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
