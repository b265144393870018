import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

@Suite struct IslandTests {
  @Test(arguments: [
    "http://127.0.0.1:8081/private/", "https://127.0.0.1:8080/private/",
    "http://localhost:8080/private/", "http://evil.example/",
  ])
  func `a foreign origin gets nothing at all`(url: String) async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    _ = try await book.logIn(.basic())
    let count = server.transport.requests.count
    let error = await #expect(throws: GatebookError.self) {
      try await book.send(.get(try #require(HTTPURL(url))))
    }
    #expect(error?.code == .originForeign)
    #expect(server.transport.requests.count == count)
  }

  @Test func `a redirect elsewhere is handed back and carries nothing`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    _ = try await book.logIn(.basic())
    server.set(.redirect("http://evil.example/steal"))
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    #expect(try await book.send(.get(page)).status == 302)
    #expect(server.transport.requests.allSatisfy { $0.url.origin.host == "127.0.0.1" })
  }

  @Test func `a redirect in circles ends at its limit`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    _ = try await book.logIn(.basic())
    server.set(.redirect("/private/page"))
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    let error = await #expect(throws: GatebookError.self) { try await book.send(.get(page)) }
    #expect(error?.code == .limitExceeded)
  }

  @Test func `every account has connections of its own`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic())
    let page = try #require(HTTPURL("http://127.0.0.1:8080/private/page"))
    _ = try await book.send(.get(page))
    #expect(server.transport.calls.last?.route.pool == ada.account.description)
  }
}
