internal import Gatebook

/// A transport that says what to write on the command line when a server is not trusted.
struct AdvisingTransport: Transport {
  private let transport: any Transport

  init(_ transport: any Transport) {
    self.transport = transport
  }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    do throws(TransportFailure) {
      return try await transport.send(request, through: route)
    } catch {
      throw TrustAdvice.added(to: error)
    }
  }
}
