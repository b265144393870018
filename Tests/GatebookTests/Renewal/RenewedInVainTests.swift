import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

/// A program that may only send requests cannot use up one refresh token after the other.
@Suite struct RenewedInVainTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
    _ = try await book.logIn(server.method())
    // Each answer takes a second.
    server.settings.pageDelay = .seconds(1)
  }

  private func status(_ request: HTTPRequest, _ book: SessionBook? = nil) async throws -> Int {
    try await (book ?? self.book).send(request).status
  }

  @Test func `a page that no token opens costs one refresh token in a minute`() async throws {
    for _ in 1...10 { #expect(try await status(server.closedPage()) == 401) }
    // Other processes know it from the log.
    for _ in 1...3 {
      let other = try await world.open(server.transport)
      #expect(try await status(server.closedPage(), other) == 401)
      await other.close()
    }
    #expect(server.refreshTokensSent == ["ref-1"])
    #expect(try await status(server.page()) == 200)
    for count in 2...4 {
      server.advance(60)
      for _ in 1...3 { #expect(try await status(server.closedPage()) == 401) }
      #expect(server.refreshTokensSent.count == count)
    }
  }

  @Test func `bodies that cannot be sent twice cost one refresh token in a minute`() async throws {
    let book = try await world.open(StreamingLine(transport: server.transport))
    for _ in 1...4 {
      var request = try HTTPRequest("POST", server.closedPage().url)
      let rest = Locked(2 << 20)
      request.source = BodySource { (buffer) throws(GatebookError) in
        buffer.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: "x"))
        return rest.withLock { rest in
          let count = min(rest, buffer.count)
          rest -= count
          return count
        }
      }
      #expect(try await status(request, book) == 401)
    }
    #expect(server.refreshTokensSent == ["ref-1"])
  }

  @Test func `a token that the server revoked after a renewal is renewed at once`() async throws {
    for count in 1...3 {
      server.endTokens()
      #expect(try await status(server.page()) == 200)
      #expect(server.refreshTokensSent.count == count)
    }
  }
}
