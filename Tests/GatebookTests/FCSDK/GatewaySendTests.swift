import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct GatewaySendTests {
  /// A login that works, and one answer for everything else.
  private static func transport(_ reply: HTTPReply) -> ScriptedTransport {
    ScriptedTransport { request, _ throws(TransportFailure) in
      guard request.method == "POST" else { return reply }
      return HTTPReply(status: 200, body: Array(#"{"sessionid":"abc"}"#.utf8))
    }
  }

  private static let site = "http://127.0.0.1:8080"

  private static func login() throws -> LoginMethod {
    .fcsdk(
      try FCSDKGateway(server: "127.0.0.1", secure: false), user: "ada", password: Secret("rabbit"))
  }

  @Test func `no 401 of a page ends a gateway session`()
    async throws
  {
    let world = try TestBook()
    let transport = Self.transport(HTTPReply(status: 401))
    let book = try await world.open(transport)
    let ada = try await book.logIn(Self.login())
    let other = try #require(HTTPURL("\(Self.site)/other"))
    #expect(try await book.send(.get(other)).status == 401)
    #expect(try await book.context(of: ada.account).state == .active)
    let own = try #require(HTTPURL("\(Self.site)/csdk-sample/lines"))
    #expect(try await book.send(.get(own)).status == 401)
    #expect(try await book.context(of: ada.account).state == .active)
    #expect(transport.requests.filter { $0.method == "POST" }.count == 1)
  }

  @Test func `credentials go to the account's own origin alone`() async throws {
    let world = try TestBook()
    let transport = Self.transport(HTTPReply(status: 200))
    let book = try await world.open(transport)
    _ = try await book.logIn(Self.login())
    let foreign = try #require(HTTPURL("http://127.0.0.1:8081/csdk-sample/x"))
    let error = await #expect(throws: GatebookError.self) {
      try await book.send(.get(foreign))
    }
    #expect(error?.code == .originForeign)
    #expect(transport.requests.count == 1)
  }
}
