public import GatebookEvents

/// Sends one request and returns its answer.
///
/// It does not follow redirects, keep cookies or know credentials: Gatebook does that.
///
/// On Linux it is `CurlTransport`; elsewhere an app can pass its own.
public protocol Transport: Sendable {
  /// Whether it reads ``HTTPRequest/source`` and fills ``HTTPRequest/sink`` while it sends.
  ///
  /// A transport that does not is never given a source: the body is read into memory first.
  ///
  /// One that does calls ``BodySource/start()`` and ``BodySource/next(_:)`` while it sends. It
  /// gives the body of a successful answer to ``BodySink/start(_:)`` and ``BodySink/take(_:)``, and
  /// sets ``HTTPReply/isStreamed``. It may leave a small body in ``HTTPReply/body``: the book gives
  /// it to the sink.
  var isStreaming: Bool { get }

  /// Sends a request once.
  ///
  /// - Parameters:
  ///   - request: What to send, with its limits.
  ///   - route: Which connections may be used, and which servers are trusted.
  /// - Returns: The complete answer.
  /// - Throws: Why there is none, and whether the server may have seen the request.
  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply
}

extension Transport {
  /// No.
  public var isStreaming: Bool { false }
}

/// Which connections a request may use, and what it trusts: accounts never share a connection.
public struct Route: Hashable, Sendable {
  /// The name of the pool of connections: the identity of the account or the login attempt.
  public var pool: String
  /// Which servers are trusted over TLS.
  public var trust: Trust
  /// The credential for a proxy on the way, and for nothing else.
  public var proxyCredential: ProxyCredential?
  /// Whether requests without TLS may pass a proxy of the environment, which can read and change
  /// them.
  public var allowsCleartext = false

  /// Makes a route.
  public init(pool: String, trust: Trust = .system) {
    self.pool = pool
    self.trust = trust
  }
}

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
  /// The server's certificate, if it was the reason; `nil` for any other failure, or if the
  /// transport does not know it.
  ///
  /// After `tls.untrusted` the user can be asked. To accept, send the request through a route whose
  /// trust has `TrustException(accepting:)` among its exceptions.
  public var certificate: ServerCertificate?
  /// What a proxy demands first: then no server has seen the request, and it can be sent again
  /// through a route with the proxy's credential.
  public var proxy: ProxyDemand?

  /// Makes a failure.
  public init(_ error: GatebookError, delivery: Delivery, certificate: ServerCertificate? = nil) {
    self.error = error
    self.delivery = delivery
    self.certificate = certificate
  }
}
