import Gatebook
import GatebookTestSupport
import Testing

/// `reportAccepted(_:of:by:)` and `reportRejected(_:of:by:)`.
@Suite struct CredentialReportTests {
  private func count(_ kind: String, _ world: TestBook) throws -> Int {
    try world.kinds().count { $0 == kind }
  }

  @Test func `an accepted credential is recorded once an hour for each program`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic()).account
    for _ in 1...3 {
      try await book.reportAccepted(Secret("lovelace"), of: ada, by: "git")
      world.clock.advance(by: .seconds(600))
    }
    #expect(try count("credential.accepted", world) == 1)
    try await book.reportAccepted(Secret("lovelace"), of: ada, by: "docker")
    #expect(try count("credential.accepted", world) == 2)
    world.clock.advance(by: .seconds(1801))
    try await book.reportAccepted(Secret("lovelace"), of: ada, by: "git")
    #expect(try count("credential.accepted", world) == 3)
    try await book.reportAccepted(Secret("typed"), of: ada, by: "git")
    #expect(try count("credential.accepted", world) == 3)
  }

  @Test func `a rejected password that the server still takes ends nothing`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic()).account
    try await book.reportRejected(Secret("lovelace"), of: ada, by: "git")
    #expect(try await book.context(of: ada).state == .active)
    #expect(try count("credential.rejected", world) == 1)
    // Asked at most once a minute.
    try await book.reportRejected(Secret("lovelace"), of: ada, by: "git")
    #expect(try count("credential.rejected", world) == 1)
  }

  @Test func `a rejected password that the server refuses ends the session, and why says it`()
    async throws
  {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic()).account
    server.change(password: "other")
    await expect(.sessionRefused) { () throws(GatebookError) in
      try await book.reportRejected(Secret("lovelace"), of: ada, by: "git")
    }
    #expect(try await book.context(of: ada).state == .needsLogin(.refused))
    let told = Told(try await book.why(ada))
    #expect("\(told)".contains("git reported that the server rejected"), "\(told)")
    #expect(try world.kinds().suffix(2) == ["credential.rejected", "session.ended"])
  }

  @Test func `a server that is down changes nothing`() async throws {
    let world = try TestBook()
    let server = BasicServer()
    let book = try await world.open(server.transport)
    let ada = try await book.logIn(.basic()).account
    server.set(.down)
    await expect(.networkUnreachable) { () throws(GatebookError) in
      try await book.reportRejected(Secret("lovelace"), of: ada, by: "git")
    }
    #expect(try await book.context(of: ada).state.isUsable)
    server.set(.healthy)
    #expect(
      try await book.credential(of: ada, for: #require(HTTPURL("http://127.0.0.1:8080/"))).secret
        == Secret("lovelace"))
  }

  @Test func `a rejected token is renewed, and a former one is recorded alone`() async throws {
    let (world, server, book) = try await TokenServer.stage()
    let ada = try await book.logIn(server.method()).account
    try await book.reportRejected(Secret("acc-1"), of: ada, by: "git")
    #expect(server.refreshTokensSent == ["ref-1"])
    #expect(try await book.token().value == Secret("acc-2"))
    for _ in 1...2 { try await book.reportRejected(Secret("acc-1"), of: ada, by: "git") }
    #expect(server.refreshTokensSent == ["ref-1"])
    #expect(try count("credential.rejected", world) == 2)
    try await book.reportRejected(Secret("acc-1"), of: ada, by: "docker")
    #expect(try count("credential.rejected", world) == 3)
    #expect(try await book.context(of: ada).state == .active)
  }

  @Test func `a report alone ends no session that no server can confirm`() async throws {
    let world = try TestBook()
    let server = TokenServer(world.clock)
    server.settings.givesRefreshTokens = false
    let isActive = TestBox(true)
    let book = try await world.open(
      ScriptedTransport { request, route throws(TransportFailure) in
        guard request.url.path == "/introspect" else {
          return try await server.transport.send(request, through: route)
        }
        // False, too, where the application may not ask (RFC 7662 section 2.2).
        let body = isActive.value ? #"{"active":true,"username":"ada"}"# : #"{"active":false}"#
        return HTTPReply(status: 200, body: Array(body.utf8))
      })
    var places = OAuth2Server()
    places.introspectionURL = HTTPURL("\(TokenServer.site)/introspect")
    let ada = try await book.logIn(
      .oauth2(
        tokenURL: try #require(HTTPURL("\(TokenServer.site)/token")), places,
        application: OAuth2Application(clientID: "app", authentication: .post(Secret("own"))),
        flow: .password(user: "ada", Secret("rabbit")))
    ).account
    isActive.value = false
    let asked = server.asked
    try await book.reportRejected(Secret("acc-1"), of: ada, by: "git")
    world.clock.advance(by: .seconds(61))
    try await book.reportRemoved(of: ada, by: "docker")
    #expect(try await book.context(of: ada).state == .active)
    #expect(try await book.token().value == Secret("acc-1"))
    #expect(server.asked == asked)
    #expect(try count("credential.rejected", world) == 2)
  }

  @Test func `no event holds a reported secret`() async throws {
    let world = try TestBook()
    let book = try await world.open(BasicServer().transport)
    let ada = try await book.logIn(.basic()).account
    try await book.reportAccepted(Secret("lovelace"), of: ada, by: "git")
    try await book.reportRejected(Secret("a former word"), of: ada, by: "git")
    await book.close()
    let bytes = TestFile.read(world.path)
    #expect(!bytes.holds("lovelace"))
    #expect(!bytes.holds("a former word"))
  }
}
