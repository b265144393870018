public import GatebookEvents

/// Why there is no answer, and whether the server may still have processed the request.
public struct TransportFailure: Error, Sendable, Equatable {
  /// What is known about a request without an answer.
  public enum Delivery: Sendable {
    /// The server cannot have seen the request: sending it again is safe.
    case notSent
    /// The server may have processed the request.
    case maybeSent
  }

  /// What went wrong: `network.unreachable`, `tls.untrusted`, `tls.keyChanged`, `limit.exceeded`,
  /// `content.unexpected`, `cancelled` or `configuration.invalid`.
  public var error: GatebookError
  /// Whether the server may have seen the request.
  public var delivery: Delivery
  /// The server's certificate, if it was the reason; `nil` for any other failure, or if the transport does not
  /// know it.
  ///
  /// After `tls.untrusted` the user can be asked. To accept, send the request through a route whose trust has
  /// `TrustException(accepting:)` among its exceptions.
  public var certificate: ServerCertificate?
  /// What a proxy demands first: then no server has seen the request, and it can be sent again through a route
  /// with the proxy's credential.
  public var proxy: ProxyDemand?

  /// Makes a failure.
  public init(_ error: GatebookError, delivery: Delivery, certificate: ServerCertificate? = nil) {
    self.error = error
    self.delivery = delivery
    self.certificate = certificate
  }
}
