import Gatebook
import GatebookTestSupport
import Testing

/// What happens at the same time as something else: two books of one file are two processes.
@Suite struct RaceTests {
  @Test func `a logout never takes the secrets of a login that came between`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let here = try await world.open(server.transport)
    let there = try await world.open(server.transport)
    let ada = try await here.logIn(.basic())
    for _ in 0..<40 {
      async let login = here.logIn(.basic())
      async let logout = there.logOut(ada.account)
      _ = try await (login, logout)
      if try await here.context(of: ada.account).state.isUsable {
        #expect(try await here.restore(ada.account).state.isUsable)
      }
    }
    #expect(try !world.kinds().contains("session.ended"))
  }

  @Test func `the cookies of a late answer do not spoil a renewed session`() async throws {
    let server = FormServer()
    let world = try TestBook()
    let book = try await world.open(server.transport)
    _ = try await book.logIn(server.login())
    server.hold("/slow")
    let slow = try server.url("/slow")
    let late = Task { try await book.send(.get(slow)) }
    await server.arrival()
    server.endSessions()
    #expect(try await book.send(.get(server.url("/page"))).status == 200)
    let logins = server.logins
    server.release(HTTPReply(status: 200, fields: [HTTPField("Set-Cookie", "sid=guest")]))
    #expect(try await late.value.status == 200)
    #expect(try await book.send(.get(server.url("/page"))).status == 200)
    #expect(server.logins == logins)
  }

  @Test func `two processes lose none of each other's cookies`() async throws {
    let server = FormServer()
    let world = try TestBook()
    let books = try await [world.open(server.transport), world.open(server.transport)]
    let ada = try await books[0].logIn(server.login())
    for round in 0..<15 {
      async let here = books[0].send(.get(server.url("/set/a\(round)")), as: ada.account)
      async let there = books[1].send(.get(server.url("/set/b\(round)")), as: ada.account)
      _ = try await (here, there)
    }
    _ = try await books[0].send(.get(server.url("/page")))
    let cookies = try #require(server.transport.requests.last?.fields.first("Cookie"))
    for round in 0..<15 {
      #expect(cookies.contains("a\(round)=1"))
      #expect(cookies.contains("b\(round)=1"))
    }
  }

  @Test func `a proof of the session keeps the cookies that came meanwhile`() async throws {
    let server = FormServer()
    let world = try TestBook()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(server.login(mayLogInAgain: false))
    _ = try await book.restore(ada.account)
    server.hold("/check")
    let page = try server.url("/page")
    let first = Task { try await book.send(.get(page)) }
    await server.arrival()
    // Another process verified the session and took a cookie in the meantime.
    server.hold(nil)
    let other = try await world.open(server.transport)
    _ = try await other.send(.get(server.url("/set/extra")), as: ada.account)
    server.release(HTTPReply(status: 200, fields: [HTTPField("Set-Cookie", "proof=1")]))
    #expect(try await first.value.status == 200)
    _ = try await book.send(.get(page))
    let cookies = try #require(server.transport.requests.last?.fields.first("Cookie"))
    #expect(cookies.contains("extra=1"))
    #expect(cookies.contains("proof=1"))
    #expect(cookies.contains("sid="))
  }
}
