import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct RestartTests {
  @Test func `a session survives a restart without the network, and says so`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let first = try await world.open(server.transport)
    let ada = try await first.logIn(.basic())
    await first.close()
    server.set(.down)
    world.clock.advance(by: .seconds(3600))

    let second = try await world.open(server.transport)
    let restored = try await second.restore(ada.account)
    #expect(restored.state == .offline(lastVerified: ada.since))
    #expect(restored.isRecorded)
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    let error = await #expect(throws: GatebookError.self) { try await second.send(.get(page)) }
    #expect(error?.code == .networkUnreachable)
    #expect(try await second.context(of: ada.account).state.name == "offline")

    server.set(.healthy)
    #expect(try await second.send(.get(page)).status == 200)
    #expect(try await second.context(of: ada.account).state == .active)
    #expect(try world.kinds().suffix(2) == ["session.restored", "session.verified"])
  }

  @Test func `a restore after the password changed ends in a login, not before`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    server.change(password: "new")
    #expect(try await book.restore(ada.account).state.name == "offline")
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    let error = await #expect(throws: GatebookError.self) { try await book.send(.get(page)) }
    #expect(error?.code == .sessionRefused)
    #expect(try await book.context(of: ada.account).state == .needsLogin(.refused))
    let again = await #expect(throws: GatebookError.self) { try await book.restore(ada.account) }
    #expect(again?.code == .sessionRefused)
  }

  @Test(arguments: [BasicServer.Mood.down, .status(500), .status(429), .status(503), .html])
  func `no trouble of a server ends a session`(mood: BasicServer.Mood) async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    server.set(mood)
    _ = try? await book.send(.get(page))
    _ = try await book.restore(ada.account)
    _ = try? await book.send(.get(page))
    #expect(try await book.context(of: ada.account).state.isUsable)
    server.set(.healthy)
    #expect(try await book.send(.get(page)).status == 200)
  }

  @Test func `a refusal of one page is no end of a session`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path != "/private/forbidden" else { return HTTPReply(status: 401) }
        return try await server.transport.send(request, through: route)
      })
    let ada = try await book.logIn(.basic())
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/forbidden"))
    #expect(try await book.send(.get(page)).status == 401)
    #expect(try await book.context(of: ada.account).state == .active)
  }
}
