import Gatebook

/// A way to a scripted server that reads sources while it sends; the server gets whole bodies.
struct StreamingLine: Transport {
  let transport: any Transport

  var isStreaming: Bool { true }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    var request = request
    if let source = request.source {
      do throws(GatebookError) {
        request.body = try await source.bytes(limit: 64 << 20, SystemClock())
      } catch {
        throw TransportFailure(error, delivery: .maybeSent)
      }
      request.source = nil
    }
    return try await transport.send(request, through: route)
  }
}
