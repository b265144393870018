/// Sends one request and brings its answer.
///
/// It follows no redirect, keeps no cookie and knows no credential: those are Gatebook's, above it.
///
/// On Linux it is `CurlTransport`; elsewhere an app can bring its own.
public protocol Transport: Sendable {
  /// Whether it reads ``HTTPRequest/source`` and fills ``HTTPRequest/sink`` while it sends.
  ///
  /// A transport that does not is never given a source: the body is read into memory first.
  var isStreaming: Bool { get }

  /// Sends a request once.
  ///
  /// - Parameters:
  ///   - request: What to send, with its limits.
  ///   - route: Whose connections may be used, and which servers are trusted.
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
