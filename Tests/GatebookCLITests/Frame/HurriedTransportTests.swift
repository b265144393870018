internal import Gatebook
internal import GatebookSystem
internal import Testing

@testable internal import GatebookCLI

struct HurriedTransportTests {
  /// Keeps the limits of what it is to send.
  private struct Witness: Transport {
    let seen = Locked<HTTPLimits?>(nil)

    func send(
      _ request: HTTPRequest, through route: Route
    ) async throws(TransportFailure) -> HTTPReply {
      seen.withLock { $0 = request.limits }
      return HTTPReply(status: 200)
    }
  }

  @Test(arguments: [1, 20, 45, 600], [HTTPLimits.login, .endpoint])
  func `--timeout is the time of each request, its connection included`(
    _ seconds: Int, _ usual: HTTPLimits
  ) async throws {
    let witness = Witness()
    let url = try #require(HTTPURL("https://id.example/token"))
    let request = HTTPRequest("POST", url, limits: usual)
    _ = try await CommandTransport(transport: witness, limit: .seconds(seconds))
      .send(request, through: Route(pool: "a"))
    let limits = witness.seen.withLock { $0 }
    #expect(limits?.total == .seconds(seconds))
    #expect(limits?.connect == .seconds(seconds))
    #expect(limits?.body == usual.body)
  }

  @Test func `without it a request for a token has 15 s to connect and 30 s in all`() {
    #expect(HTTPLimits.endpoint.connect == .seconds(15))
    #expect(HTTPLimits.endpoint.total == .seconds(30))
    let help = LoginArguments.timeoutOption.note
    for number in ["15", "30", "60"] { #expect(help.contains(number)) }
  }
}
