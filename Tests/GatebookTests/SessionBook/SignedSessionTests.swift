import Gatebook
import GatebookTestSupport
import Testing

/// Sessions whose requests are each signed: OAuth 1.0a.
@Suite struct SignedSessionTests {
  private let allowed = "app://back?oauth_token=tmp&oauth_verifier=v"

  private func page() throws -> HTTPRequest {
    .get(try #require(HTTPURL("https://api.example/photos")))
  }

  @Test func `a login waits in the book for its redirect and continues after a restart`()
    async throws
  {
    let world = try TestBook()
    let server = SignedServer(world.clock)
    let pending = try await world.open(server.transport).beginLogIn(.signed())
    #expect(pending.method == "oauth1")
    #expect(pending.page.description == "https://api.example/allow?oauth_token=tmp")
    let book = try await world.open(server.transport)
    let ada = try await book.finishLogIn(redirect: allowed)
    #expect(ada.state == .active)
    #expect(ada.loginName == .known("ada"))
    let again = await #expect(throws: GatebookError.self) {
      try await book.finishLogIn(redirect: allowed)
    }
    #expect(again?.code == .stateMismatch)
  }

  @Test func `a refusal that names no login is that of the only one that waits`() async throws {
    let world = try TestBook()
    let book = try await world.open(SignedServer(world.clock).transport)
    _ = try await book.beginLogIn(.signed())
    for foreign in ["app://other?error=x", "app://back?a=b", "app://back?error=x&oauth_token=t"] {
      await expect(.stateMismatch) { () throws(GatebookError) in
        _ = try await book.finishLogIn(redirect: foreign)
      }
    }
    #expect(try await book.pendingLogins().count == 1)
    await expect(.challengeCancelled) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: "app://back?error=access_denied")
    }
    #expect(try await book.pendingLogins().isEmpty)
  }

  @Test func `a refusal that names no login ends none of several`() async throws {
    let world = try TestBook()
    let book = try await world.open(SignedServer(world.clock).transport)
    for _ in 1...2 { _ = try await book.beginLogIn(.signed()) }
    await expect(.stateMismatch) { () throws(GatebookError) in
      _ = try await book.finishLogIn(redirect: "app://back?oauth_problem=permission_denied")
    }
    #expect(try await book.pendingLogins().count == 2)
  }

  @Test func `each request has a nonce of its own, also after a restart`() async throws {
    let world = try TestBook()
    let server = SignedServer(world.clock)
    let book = try await world.open(server.transport)
    _ = try await book.beginLogIn(.signed())
    _ = try await book.finishLogIn(redirect: allowed)
    for _ in 1...3 { #expect(try await book.send(page()).status == 200) }
    let later = try await world.open(server.transport)
    for _ in 1...3 { #expect(try await later.send(page()).status == 200) }
    #expect(server.reusedNonces == 0)
  }

  @Test func `a moved clock costs one refusal and is kept`() async throws {
    let world = try TestBook()
    let server = SignedServer(world.clock)
    let book = try await world.open(server.transport)
    _ = try await book.beginLogIn(.signed())
    _ = try await book.finishLogIn(redirect: allowed)
    server.setAhead(by: 3600)
    let before = server.transport.requests.count
    #expect(try await book.send(page()).status == 200)
    #expect(server.transport.requests.count == before + 2)
    #expect(try await book.send(page()).status == 200)
    #expect(server.transport.requests.count == before + 3)
    #expect(try world.kinds().filter { $0 == "clock.observed" }.count == 1)
    #expect(server.reusedNonces == 0)
  }

  @Test(arguments: [
    ("https://api.example.test", "http://api.example.test/me"),
    ("http://api.example.test", "https://api.example.test/me"),
  ])
  func `no part of it goes to another machine without TLS unless that was allowed`(
    _ service: String, _ check: String
  ) async throws {
    let world = try TestBook()
    let server = SignedServer(world.clock)
    let book = try await world.open(server.transport)
    let url = { (text: String) in try #require(HTTPURL(text)) }
    let method = LoginMethod.oauth1(
      OAuth1Service(
        requestTokenURL: try url(service + "/request"),
        authorisationURL: try url(service + "/authorize"),
        accessTokenURL: try url(service + "/token")),
      consumer: OAuth1Consumer(key: "app", secret: Secret("s")), checkURL: try url(check),
      user: "ada", callback: "oob")
    await expect(.loginCleartext) { () throws(GatebookError) in
      _ = try await book.beginLogIn(method)
    }
    #expect(server.transport.requests.isEmpty)
    var options = LoginOptions()
    options.allowsCleartext = true
    _ = try await book.beginLogIn(method, options: options)
    #expect(!server.transport.requests.isEmpty)
  }

  @Test func `a revoked token ends the session and leaves the account`() async throws {
    let world = try TestBook()
    let server = SignedServer(world.clock)
    let book = try await world.open(server.transport)
    _ = try await book.beginLogIn(.signed())
    let ada = try await book.finishLogIn(redirect: allowed)
    server.revoke()
    #expect(try await book.send(page()).status == 401)
    let error = await #expect(throws: GatebookError.self) { try await book.send(page()) }
    #expect(error?.code == .sessionRefused)
    let context = try await book.accounts().first { $0.account == ada.account }
    #expect(context?.state != .active)
  }
}
