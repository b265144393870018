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
  /// One that does calls ``BodySource/start()`` and ``BodySource/next(_:)`` while it sends. It gives the body
  /// of a successful answer to ``BodySink/start(_:)`` and ``BodySink/take(_:)``, and sets
  /// ``HTTPReply/isStreamed``. It may leave a small body in ``HTTPReply/body``: the book gives it to the sink.
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
