internal import Gatebook

/// A transport whose requests may take no longer than the user wants to wait.
struct TimeLimitedTransport: Transport {
  let transport: any Transport
  let limit: Duration

  var isStreaming: Bool { transport.isStreaming }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    var request = request
    request.limits.total = limit
    request.limits.connect = limit
    return try await transport.send(request, through: route)
  }
}
