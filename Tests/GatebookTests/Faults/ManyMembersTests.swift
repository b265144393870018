import GatebookTestSupport
import Testing

@testable import Gatebook

/// Answers with tens of thousands of members, in the order that costs the most where each is put in its place.
@Suite struct ManyMembersTests {
  /// Members in descending order of their names, which are numbers.
  private static func members(_ count: Int) -> String {
    (0..<count).reversed().map { "\"\(String($0 + 100_000, radix: 36))\":\($0)" }
      .joined(separator: ",")
  }

  private static func transport(token: String, page: String) -> ScriptedTransport {
    ScriptedTransport { request, _ throws(TransportFailure) in
      let body =
        switch request.url.path {
        case "/token": "{\"access_token\":\"at\",\"token_type\":\"Bearer\"\(token)}"
        case "/me": #"{"sub":"248"}"#
        default: page
        }
      return HTTPReply(status: 200, body: Array(body.utf8))
    }
  }

  @Test func `a token answer and an app's page are read whatever the order of their members is`()
    async throws
  {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(
      Self.transport(
        token: "," + Self.members(60_000), page: "{\(Self.members(1 << 16))}"))
    let ada = try await book.logIn(server.method())
    #expect(ada.state == .active)
    let page = try await book.send(server.page(), decoding: [String: Int].self)
    #expect(page.count == 1 << 16)
    #expect(page[String(100_007, radix: 36)] == 7)
    #expect(page[String(165_535, radix: 36)] == 65_535)
  }

  @Test func `an object with more members than are read is refused, and nothing is lost`()
    async throws
  {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let many = Self.members((1 << 16) + 1)
    let refused = try await world.open(Self.transport(token: "," + many, page: ""))
    let error = await #expect(throws: GatebookError.self) {
      try await refused.logIn(server.method())
    }
    #expect(error?.code == .contentUnexpected)
    let book = try await world.open(Self.transport(token: "", page: "{\(many)}"))
    let ada = try await book.logIn(server.method())
    let unread = await #expect(throws: GatebookError.self) {
      try await book.send(server.page(), decoding: [String: Int].self)
    }
    #expect(unread?.code == .contentUnexpected)
    #expect(try await book.context(of: ada.account).state == .active)
  }

  @Test func `a member that stands twice is refused among tens of thousands`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let twice = Self.members(60_000) + ",\"\(String(130_000, radix: 36))\":1"
    let book = try await world.open(Self.transport(token: "", page: "{\(twice)}"))
    _ = try await book.logIn(server.method())
    let error = await #expect(throws: GatebookError.self) {
      try await book.send(server.page(), decoding: [String: Int].self)
    }
    #expect(error?.code == .contentUnexpected)
  }
}
