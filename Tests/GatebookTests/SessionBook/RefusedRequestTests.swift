import GatebookFakes
import GatebookTestSupport
import Testing

@testable import Gatebook

/// What becomes of a session when its server refuses a request and says nothing of the session.
@Suite struct RefusedRequestTests {
  /// A token server with one page whose answer the test sets.
  private struct Stage {
    let world: TestBook
    let server: TokenServer
    let book: SessionBook
    let ada: AccountID
    let status = TestBox(403)

    init(givesRefreshTokens: Bool = true) async throws {
      world = try TestBook()
      server = TokenServer(world.clock)
      server.settings.givesRefreshTokens = givesRefreshTokens
      server.settings.lifetime = .seconds(86_400)
      book = try await world.open(Self.transport(server, status))
      ada = try await book.logIn(server.method()).account
    }

    /// Another program with the same book.
    func other() async throws -> SessionBook {
      try await world.open(Self.transport(server, status))
    }

    private static func transport(
      _ server: TokenServer, _ status: TestBox<Int>
    ) -> ScriptedTransport {
      ScriptedTransport { request, route throws(TransportFailure) in
        switch request.url.path {
        case "/page": return HTTPReply(status: status.value)
        // Some servers answer so to a token that they have forgotten.
        case "/data":
          let reply = try await server.transport.send(request, through: route)
          return HTTPReply(status: reply.status == 401 ? 400 : reply.status)
        default: return try await server.transport.send(request, through: route)
        }
      }
    }

    @discardableResult
    func page(_ path: String = "page", of book: SessionBook? = nil) async throws -> Int {
      let url = try #require(HTTPURL("\(TokenServer.site)/\(path)"))
      return try await (book ?? self.book).send(.get(url), as: ada).status
    }

    /// The statuses that were recorded as refused.
    func refusals() throws -> [Int64] {
      try BookReader.open(at: world.path).events(EventFilter())
        .filter { $0.isKind(.requestRefused) }.compactMap { $0.data["status"]?.integer }
    }

    /// How often the server was asked who the user is, the login's own question aside.
    var questions: Int { server.sent("/me").count - 1 }
  }

  @Test(arguments: [
    (200, [] as [Int64]), (204, []), (302, []), (400, [400]), (401, [401]), (403, [403]),
    (404, []), (405, []), (409, []), (410, []), (429, []), (500, []), (503, []),
  ])
  func `a refusal that says nothing of the session is recorded, and changes no state`(
    _ status: Int, _ recorded: [Int64]
  ) async throws {
    let stage = try await Stage()
    stage.status.value = status
    #expect(try await stage.page() == status)
    #expect(try stage.refusals() == recorded)
    #expect(try await stage.book.context(of: stage.ada).state == .active)
    let event = try BookReader.open(at: stage.world.path).events(EventFilter())
      .last { $0.isKind(.requestRefused) }
    // Neither the address nor a word of the answer.
    #expect(
      event?.data ?? ["status": .integer(Int64(status))] == ["status": .integer(Int64(status))])
    #expect(event?.personal == nil)
  }

  @Test func `a 400 that nothing can settle is recorded, and asks nobody`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let asked = TestBox(0)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path != "/page" else { return HTTPReply(status: 400) }
        asked.withLock { $0 += 1 }
        return try await server.transport.send(request, through: route)
      })
    let ada = try await book.logIn(
      .oauth2(
        tokenURL: try #require(HTTPURL("\(TokenServer.site)/token")), OAuth2Server(),
        application: OAuth2Application(clientID: "app", authentication: .post(Secret("own"))),
        flow: .clientCredentials)
    ).account
    let before = asked.value
    let page = HTTPRequest.get(try #require(HTTPURL("\(TokenServer.site)/page")))
    for _ in 1...2 { #expect(try await book.send(page, as: ada).status == 400) }
    #expect(asked.value == before)
    let events = try BookReader.open(at: world.path).events(EventFilter())
    let refused = events.filter { $0.isKind(.requestRefused) }
    #expect(refused.map(\.data) == [["status": 400, "unprovable": true]])
    let why = Told(try await book.why(ada))
    #expect(why.answer.contains("400"), "\(why)")
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  @Test func `the same refusal is recorded once an hour, each status for itself`() async throws {
    let stage = try await Stage()
    for status in [403, 403, 401, 403, 401] {
      stage.status.value = status
      try await stage.page()
    }
    #expect(try stage.refusals() == [403, 401])
    stage.server.advance(3599)
    // The token of another renewal is refused too.
    try await stage.page(of: try await stage.other())
    #expect(try stage.refusals() == [403, 401, 401])
    stage.server.advance(2)
    try await stage.page(of: try await stage.other())
    #expect(try stage.refusals() == [403, 401, 401])
    // Another session has its own hour.
    _ = try await stage.book.logIn(stage.server.method())
    try await stage.page()
    #expect(try stage.refusals() == [403, 401, 401, 401])
  }

  @Test func `a request that the caller aborts is not recorded`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let gate = Gate(isOpen: false)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path == "/page" else {
          return try await server.transport.send(request, through: route)
        }
        await gate.pass()
        return HTTPReply(status: 403)
      })
    let ada = try await book.logIn(server.method()).account
    let request = HTTPRequest.get(try #require(HTTPURL("\(TokenServer.site)/page")))
    let aborted = Task { _ = try? await book.send(request, as: ada) }
    await gate.arrival()
    aborted.cancel()
    await gate.open()
    await aborted.value
    #expect(try !world.kinds().contains("request.refused"))
    _ = try await book.send(request, as: ada)
    #expect(try world.kinds().contains("request.refused"))
  }

  @Test(arguments: [true, false])
  func `a server that answers 400 to a forgotten token is asked by the next use`(
    isRenewable: Bool
  ) async throws {
    let stage = try await Stage(givesRefreshTokens: isRenewable)
    #expect(try await stage.page("data") == 200)
    stage.server.endTokens()
    #expect(try await stage.page("data") == 400)
    #expect(try await stage.book.context(of: stage.ada).state == .active)
    #expect(stage.questions == 0)
    if isRenewable {
      #expect(try await stage.page("data") == 200)
    } else {
      await #expect(throws: GatebookError.self) { try await stage.page("data") }
      #expect(try await stage.book.context(of: stage.ada).state == .needsLogin(.refused))
    }
    #expect(stage.questions == 1)
  }

  @Test func `a token that is handed out is asked about too`() async throws {
    let stage = try await Stage()
    stage.server.endTokens()
    let former = try await stage.book.token(for: stage.ada).value
    #expect(try await stage.page("data") == 400)
    #expect(try await stage.book.token(for: stage.ada).value != former)
  }

  @Test(arguments: [true, false])
  func `sync asks about a session that was answered 400, in any program`(
    isSame: Bool
  ) async throws {
    let stage = try await Stage()
    #expect(try await stage.book.sync().verified.isEmpty)
    stage.server.endTokens()
    try await stage.page("data")
    let book = isSame ? stage.book : try await stage.other()
    #expect(try await book.sync().verified == [stage.ada])
    #expect(try await stage.page("data", of: book) == 200)
    // It is answered now.
    #expect(try await book.sync().verified.isEmpty)
  }

  @Test func `the server is asked at most once a minute, and not without an answer 400`()
    async throws
  {
    let stage = try await Stage()
    stage.status.value = 400
    for _ in 1...5 { try await stage.page() }
    #expect(stage.questions == 1)
    stage.server.advance(61)
    for _ in 1...5 { try await stage.page() }
    #expect(stage.questions == 2)
    stage.status.value = 200
    stage.server.advance(61)
    try await stage.page()
    #expect(stage.questions == 3)
    stage.server.advance(61)
    for _ in 1...5 { try await stage.page() }
    #expect(stage.questions == 3)
    #expect(try await stage.book.context(of: stage.ada).state == .active)
  }

  @Test func `a second answer 400 within the hour is settled by the program that hears it`()
    async throws
  {
    let stage = try await Stage()
    stage.status.value = 400
    try await stage.page()
    #expect(try await stage.other().sync().verified == [stage.ada])
    stage.server.advance(120)
    stage.server.endTokens()
    #expect(try await stage.page("data", of: try await stage.other()) == 400)
    // No other program has heard of it.
    #expect(try await stage.page("data", of: try await stage.other()) == 200)
    #expect(try stage.refusals() == [400])
  }

  @Test func `sync says that a session is still open to doubt`() async throws {
    let stage = try await Stage()
    stage.status.value = 400
    try await stage.page()
    stage.server.settings.isDown = true
    let report = try await stage.other().sync()
    #expect(report.verified.isEmpty)
    #expect(report.failures.map(\.account) == [stage.ada])
  }

  @Test func `a server that gives no answer to the question keeps nobody from using the session`()
    async throws
  {
    let stage = try await Stage()
    stage.status.value = 400
    try await stage.page()
    stage.server.settings.isDown = true
    stage.status.value = 200
    #expect(try await stage.page() == 200)
    #expect(try await stage.book.context(of: stage.ada).state == .active)
  }

  @Test func `a report draws a refused request as a failure`() {
    #expect(ReportMark(EventKind.requestRefused.rawValue) == .failure)
  }

  @Test func `a demand for a stronger login is reported as that alone`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path == "/page" else {
          return try await server.transport.send(request, through: route)
        }
        let demand = #"Bearer error="insufficient_scope", scope="write""#
        return HTTPReply(status: 403, fields: [HTTPField("WWW-Authenticate", demand)])
      })
    let ada = try await book.logIn(server.method()).account
    _ = try await book.send(
      .get(try #require(HTTPURL("\(TokenServer.site)/page"))), as: ada)
    #expect(try world.kinds().last == "challenge.received")
  }
}
