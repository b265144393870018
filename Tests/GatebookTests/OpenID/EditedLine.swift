import Gatebook
import GatebookCurl

/// The real transport, whose answers a test writes over on their way.
struct EditedLine: Transport {
  typealias Edit = @Sendable (_ path: String, _ reply: inout HTTPReply) -> Void

  let edit = TestBox<Edit>({ _, _ in })
  private let curl = CurlTransport()

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    var reply = try await curl.send(request, through: route)
    edit.value(request.url.path, &reply)
    return reply
  }
}
