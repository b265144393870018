public import GatebookEvents

/// Why there is no answer, and whether the server may have acted on the request all the same.
public struct TransportFailure: Error, Sendable, Equatable {
  /// What is known about a request without an answer.
  public enum Delivery: Sendable {
    /// The server cannot have seen the request: sending it again is safe.
    case notSent
    /// The server may have acted on the request.
    case maybeSent
  }

  /// What went wrong: `network.unreachable`, `tls.untrusted`, `tls.keyChanged`, `limit.exceeded`,
  /// `content.unexpected`, `cancelled` or `configuration.invalid`.
  public var error: GatebookError
  /// Whether the server may have seen the request.
  public var delivery: Delivery
  /// What the server showed, when it was refused for that; `nil` for any other failure, and when the
  /// transport cannot tell.
  ///
  /// After `tls.untrusted` a person can be asked; accepting is a request through a route whose trust
  /// has `TrustException(accepting:)` among its exceptions.
  public var certificate: ServerCertificate?
  /// What a proxy wants to know first: then no server has seen the request, and it may be sent again
  /// through a route with the proxy's credential.
  public var proxy: ProxyDemand?

  /// Makes a failure.
  public init(_ error: GatebookError, delivery: Delivery, certificate: ServerCertificate? = nil) {
    self.error = error
    self.delivery = delivery
    self.certificate = certificate
  }
}
