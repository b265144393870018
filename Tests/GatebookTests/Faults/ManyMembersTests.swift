import GatebookTestSupport
import Testing

@testable import Gatebook

/// Answers with tens of thousands of members, in the order that costs the most where each is put in
/// its place.
@Suite struct ManyMembersTests {
  /// Members in descending order of their names, which are numbers.
  private static func members(_ count: Int) -> String {
    (0..<count).reversed().map { "\"\(String($0 + 100_000, radix: 36))\":\($0)" }
      .joined(separator: ",")
  }

  private static func transport(token: String) -> ScriptedTransport {
    ScriptedTransport { request, _ throws(TransportFailure) in
      let body =
        switch request.url.path {
        case "/token": "{\"access_token\":\"at\",\"token_type\":\"Bearer\"\(token)}"
        default: #"{"sub":"248"}"#
        }
      return HTTPReply(status: 200, body: Array(body.utf8))
    }
  }

  @Test func `a token answer is read whatever the order of its members is`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(Self.transport(token: "," + Self.members(60_000)))
    #expect(try await book.logIn(server.method()).state == .active)
  }

  @Test(arguments: [true, false])
  func `an object with a member twice, or with more than are read, is refused`(
    _ isTwice: Bool
  ) async throws {
    let members =
      isTwice
      ? Self.members(60_000) + ",\"\(String(130_000, radix: 36))\":1"
      : Self.members((1 << 16) + 1)
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(Self.transport(token: "," + members))
    let error = await #expect(throws: GatebookError.self) {
      try await book.logIn(server.method())
    }
    #expect(error?.code == .contentUnexpected)
    #expect(try await book.accounts().isEmpty)
  }
}
