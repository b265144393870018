import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// What Gatebook does not send automatically after a renewal has failed; a caller who asks may
/// always try.
@Suite struct HeldBackTests {
  private let world: TestBook
  private let server: TokenServer
  private let book: SessionBook

  init() async throws {
    (world, server, book) = try await TokenServer.stage()
  }

  private static let later = HTTPReply(
    status: 429, fields: [HTTPField("Retry-After", "3600")], body: Array("Later.".utf8))
  private static let unknownClient = HTTPReply(
    status: 401, body: Array(#"{"error":"invalid_client"}"#.utf8))
  private static let page = HTTPReply(
    status: 403, fields: [HTTPField("Content-Type", "text/html")],
    body: Array("<p>Something stands in front of the server.</p>".utf8))
  private static let trouble = HTTPReply(status: 503)

  private func token(_ lifetime: Int = 0) async -> Result<Secret, GatebookError> {
    do throws(GatebookError) {
      return .success(try await book.token(minimumLifetime: .seconds(lifetime)).value)
    } catch {
      return .failure(error)
    }
  }

  private func expectSound() throws {
    #expect(try BookReader.open(at: world.path).checkProjections().ok)
  }

  // MARK: A refresh token

  @Test(
    arguments: [(later, .serverUnavailable, 1), (unknownClient, .configurationInvalid, 3)]
      as [(HTTPReply, FailureCode, Int)])
  func `a token that must live longer waits as every use does`(
    _ answer: HTTPReply, _ code: FailureCode, _ sends: Int
  ) async throws {
    let ada = try await book.logIn(server.method()).account
    server.settings.answer = answer
    let before = server.tokenRequests
    for _ in 1...3 { #expect(await token(900).failures.map(\.code) == [code]) }
    #expect(server.tokenRequests == before + sends)
    #expect(try await token().get() == Secret("acc-1"))
    await expect(code) { () throws(GatebookError) in _ = try await book.renewNow(ada) }
    #expect(server.tokenRequests == before + sends + 1, "Who asks may try.")
    server.settings.answer = nil
    #expect(try await book.renewNow(ada))
    #expect(try await token(599).get() == Secret("acc-2"))
    try expectSound()
  }

  @Test func `a token that must live longer is asked for when the server's time is over`()
    async throws
  {
    _ = try await book.logIn(server.method())
    server.settings.answer = HTTPReply(
      status: 503, fields: [HTTPField("Retry-After", "100")])
    server.advance(10)
    _ = await token(595)
    server.settings.answer = nil
    server.advance(100)
    #expect(try await token(595).get() == Secret("acc-2"))
  }

  // MARK: Where no page proves the session

  @Test func `sync leaves a server alone that demanded it`() async throws {
    let method = LoginMethod.oauth2(
      tokenURL: try #require(HTTPURL("\(TokenServer.site)/token")), OAuth2Server(),
      application: OAuth2Application(clientID: "app", authentication: .post(Secret("s3cret"))),
      flow: .clientCredentials)
    let app = try await book.logIn(method).account
    _ = try await book.restore(app)
    server.settings.answer = Self.later
    let before = server.tokenRequests
    for _ in 1...3 {
      #expect(try await book.sync().failures.map(\.error.code) == [.serverUnavailable])
    }
    #expect(server.tokenRequests == before + 1)
    server.settings.answer = nil
    server.advance(3600)
    #expect(try await book.sync().verified == [app])
  }

  // MARK: A kept password

  /// Ada has saved her password, her session has nothing else, and is over.
  private func expire() async throws -> AccountID {
    server.settings.givesRefreshTokens = false
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await book.logIn(server.method(), options: options).account
    server.advance(600)
    return ada
  }

  @Test func `a password that met a server in trouble is not sent again before its time`()
    async throws
  {
    let ada = try await expire()
    server.settings.answer = Self.trouble
    let before = server.tokenRequests
    for _ in 1...5 { #expect(await token().failures.map(\.code) == [.serverUnavailable]) }
    #expect(server.tokenRequests == before + 1)
    #expect(try await book.context(of: ada).state == .active)
    // The wait grows with each failure.
    for _ in 1...10 {
      server.advance(1)
      _ = await token()
    }
    #expect((2...5).contains(server.tokenRequests - before), "\(server.tokenRequests - before)")
    server.settings.answer = nil
    server.advance(100)
    #expect(try await token().get() == Secret("acc-2"))
    try expectSound()
  }

  @Test func `a password that got an unclear refusal is not sent again automatically`() async throws
  {
    let ada = try await expire()
    server.settings.answer = Self.page
    let before = server.tokenRequests
    #expect(await token().failures.map(\.code) == [.serverRefused])
    for _ in 1...3 {
      server.advance(1000)
      #expect(await token().failures.map(\.code) == [.configurationInvalid])
    }
    #expect(server.tokenRequests == before + 1)
    #expect(try await book.context(of: ada).state == .active)
    #expect(try await book.hasSavedLogin(ada))
    await expect(.serverRefused) { () throws(GatebookError) in _ = try await book.renewNow(ada) }
    #expect(server.tokenRequests == before + 2, "Who asks may try.")
    server.settings.answer = nil
    #expect(try await book.renewNow(ada))
    #expect(try await token().get() == Secret("acc-2"))
    try expectSound()
  }

  @Test func `a password whose answer was lost waits, one that never left does not`() async throws {
    _ = try await expire()
    server.settings.isDown = true
    for _ in 1...5 { #expect(await token().failures.map(\.code) == [.networkUnreachable]) }
    server.settings.isDown = false
    server.settings.lostQuestions = 5
    let before = server.tokenRequests
    #expect(await token().failures.map(\.code) == [.networkUnreachable])
    for _ in 1...5 { #expect(await token().failures.map(\.code) == [.serverUnavailable]) }
    #expect(server.tokenRequests == before + 1)
    server.settings.lostQuestions = 0
    server.advance(100)
    #expect(try await token().get() == Secret("acc-2"))
  }

  @Test func `the password of an uncertain session waits, too`() async throws {
    var options = LoginOptions()
    options.saveCredentials = true
    let ada = try await book.logIn(server.method(), options: options).account
    server.advance(600)
    server.settings.lostQuestions = 2
    server.settings.answer = Self.trouble
    let before = server.tokenRequests
    #expect(await token().failures.map(\.code) == [.networkUnreachable])
    server.advance(3)
    for _ in 1...5 { #expect(await token().failures.count == 1) }
    #expect(server.tokenRequests == before + 3, "two refreshes and one login")
    #expect(try await book.context(of: ada).state == .uncertain)
    server.settings.answer = nil
    server.advance(100)
    #expect(try await token().get() == Secret("acc-2"))
  }

  @Test func `a password is sent though a refresh before it met a server in trouble`() async throws
  {
    var options = LoginOptions()
    options.saveCredentials = true
    _ = try await book.logIn(server.method(), options: options)
    server.settings.answer = Self.trouble
    server.advance(600)
    #expect(await token().failures.map(\.code) == [.serverUnavailable])
    server.settings.answer = nil
    server.forgetRefreshTokens()
    #expect(try await token().get() == Secret("acc-2"))
  }

  // MARK: A page that refuses meanwhile

  @Test func `while a wrong setting keeps it from being renewed a 401 is the caller's`()
    async throws
  {
    let ada = try await book.logIn(server.method()).account
    server.settings.answer = Self.unknownClient
    server.endTokens()
    let page = try server.page()
    #expect(try await book.send(page).status == 401)
    #expect(try world.kinds().suffix(2) == ["refresh.deferred", "request.refused"])
    for _ in 1...12 { #expect(try await book.send(page).status == 401) }
    let before = server.tokenRequests
    // After so many the next use waits.
    for _ in 1...3 { #expect(try await book.send(page).status == 401) }
    #expect(server.tokenRequests == before)
    #expect(try await book.context(of: ada).state == .active)
    server.settings.answer = nil
    server.advance(1080)
    #expect(try await book.send(page).status == 200)
  }
}
