import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What `why` says of times, clocks, and of what others did.
@Suite struct WhyDetailTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  private func told(_ account: AccountID) async throws -> Told { Told(try await book.why(account)) }

  @Test func `our own back-off is not told as the server's wish`() async throws {
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    server.settings.answer = HTTPReply(status: 429, fields: [HTTPField("Retry-After", "1")])
    for _ in 1...6 {
      _ = try? await book.send(server.page())
      server.advance(300)
    }
    let events = try await book.events(after: .start).filter { $0.isKind(.refreshDeferred) }
    let last = try #require(events.last)
    #expect(last.data["demandedWait"] == 1_000_000)
    #expect((last.data["retryAfter"]?.integer ?? 0) > 1_000_000)
    let told = try await told(ada)
    #expect(
      told.steps.last?.contains(
        "The server asked not to be contacted before T. Gatebook tries again after T.")
        == true,
      "\(told)")
  }

  @Test func `a clock that was set forward ends nothing, and is reported`() async throws {
    server.settings.givesRefreshTokens = false
    let ada = try await book.logIn(server.method()).account
    world.clock.jump(by: .seconds(7200))
    let told = try await told(ada)
    #expect(
      told.answer.contains("By this machine's clock it expired at T, but it is still valid"),
      "\(told)")
    #expect(told.advice == .nothing)
    server.advance(601)
    #expect(try await book.why(ada).advice == .logIn)
  }

  @Test func `a resumed session whose token is over is not advised to be used`() async throws {
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    server.settings.answer = HTTPReply(status: 500)
    _ = try? await book.send(server.page())
    _ = try await book.restore(ada)
    #expect(try await told(ada).advice == .tryAgain)
  }

  @Test func `a failed login is explained with its beginning, and many as one`() async throws {
    let pages = BasicServer()
    let book = try await world.open(pages.transport)
    let ada = try await book.logIn(.basic()).account
    for _ in 1...4 {
      _ = try? await book.logIn(.basic(password: "wrong"))
      world.clock.advance(by: .seconds(60))
    }
    let told = Told(try await book.why(ada))
    let own = told.steps.suffix(from: 2)
    #expect(own.first?.contains("began a login at") == true, "\(told)")
    #expect(own.last?.contains("A login by") == true, "\(told)")
    #expect(own.allSatisfy { $0.contains(" such events, the first of them at T.") }, "\(told)")
    #expect(own.count <= 5, "\(told)")
    #expect(told.advice == .nothing)
    let last = try #require(try await book.events(after: .start).last)
    let why = try #require(try await book.why(last.position))
    #expect(why.present != nil)
  }

  @Test func `what another server has demanded is none of the account's`() async throws {
    let ada = try await book.logIn(server.method()).account
    try await book.logOut(ada)
    let other = try await world.open(
      ScriptedTransport { _, _ in
        HTTPReply(status: 429, fields: [HTTPField("Retry-After", "4000")])
      })
    var options = LoginOptions()
    options.account = ada
    _ = try? await other.logIn(.basic(user: "zed"), options: options)
    let told = try await told(ada)
    #expect(told.steps.suffix(2).first?.contains("began a login at") == true, "\(told)")
    #expect(told.advice == .logIn)
  }

  @Test func `a demand is written once while its time runs`() async throws {
    let pages = BasicServer()
    let replies = TestBox<HTTPReply?>(nil)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        if let reply = replies.value { return reply }
        return try await pages.transport.send(request, through: route)
      })
    let ada = try await book.logIn(.basic()).account
    _ = try await book.restore(ada)
    replies.value = HTTPReply(status: 503, fields: [HTTPField("Retry-After", "120")])
    for count in 1...2 {
      for _ in 1...5 { _ = try await book.sync() }
      #expect(try world.kinds().count { $0 == "session.unverified" } == count)
      #expect(try await book.why(ada).advice == .wait)
      world.clock.advance(by: .seconds(121))
    }
  }

  @Test func `a server that is not reached any more has not the last word that it had before`()
    async throws
  {
    let pages = BasicServer()
    let book = try await world.open(pages.transport)
    let ada = try await book.logIn(.basic()).account
    _ = try await book.restore(ada)
    pages.set(.status(404))
    _ = try await book.sync()
    #expect(try await book.why(ada).advice == .checkSettings)
    pages.set(.down)
    for _ in 1...2 { _ = try await book.sync() }
    #expect(try await book.why(ada).advice == .use)
    #expect(try world.kinds().count { $0 == "session.unverified" } == 2)
  }

  @Test func `a token whose renewal never left was not sent before it was refused`() async throws {
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    server.settings.isDown = true
    for _ in 1...2 {
      _ = try? await book.send(server.page())
      server.advance(3600)
    }
    server.settings.isDown = false
    server.forgetRefreshTokens()
    _ = try? await book.send(server.page())
    let told = try await told(ada)
    #expect(told.steps.contains { $0.contains("had not sent it before") }, "\(told)")
  }

  @Test(arguments: [429, 503])
  func `a token that the server had refused before is described as that`(status: Int) async throws {
    let ada = try await book.logIn(server.method()).account
    server.advance(601)
    server.settings.answer = HTTPReply(status: status)
    _ = try? await book.renewNow(ada)
    server.settings.answer = nil
    server.forgetRefreshTokens()
    _ = try? await book.renewNow(ada)
    let told = try await told(ada)
    #expect(
      told.steps.contains {
        $0.contains("had sent it before; the server answered \(status) and granted nothing")
      }, "\(told)")
  }

  @Test func `a login that was begun and never ended is explained`() async throws {
    let ada = try await book.logIn(server.method()).account
    var options = LoginOptions()
    options.account = ada
    await server.gate.shut()
    let login = Task { [options] in try? await book.logIn(server.method(), options: options) }
    await server.gate.arrival()
    let told = try await told(ada)
    #expect(told.answer.contains("A login was started, and its outcome is not recorded"), "\(told)")
    #expect(told.steps.last?.contains("began a login at") == true, "\(told)")
    await server.gate.open()
    _ = await login.value
    #expect(try await !Told(book.why(ada)).answer.contains("outcome is not recorded"))
  }

  @Test func `a login that waits for a page has a time limit, which is explained once it is over`()
    async throws
  {
    _ = try await book.beginLogIn(.redirect())
    let index = try #require(try world.kinds().firstIndex(of: "login.started"))
    let started = Position(rawValue: Int64(index + 1))
    #expect(try await book.why(started)?.advice == .resume)
    world.clock.advance(by: .seconds(86_400))
    let told = Told(try #require(try await book.why(started)))
    #expect(told.answer.contains("it can no longer be continued"), "\(told)")
    #expect(told.advice == .logIn)
  }
}
