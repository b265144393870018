import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// Servers that sign the ID tokens of refreshes with a key that nobody knew at the login.
@Suite struct RotatedKeyTests {
  private let world: TestBook
  private let server: FakeIdentityServer
  private let book: SessionBook
  private let ada: SessionContext

  init() async throws {
    world = try TestBook()
    server = try FakeIdentityServer(clock: world.clock)
    try server.start()
    book = try await world.open(CurlTransport())
    ada = try await Self.logIn(book, server, LoginOptions())
  }

  private static func logIn(
    _ book: SessionBook, _ server: FakeIdentityServer, _ options: LoginOptions
  ) async throws -> SessionContext {
    try await book.logIn(
      .openID(
        issuer: try #require(Issuer(server.url)),
        application: OAuth2Application(clientID: FakeIdentityServer.clientID),
        flow: .password(
          user: FakeIdentityServer.user, Secret(FakeIdentityServer.password))), options: options)
  }

  /// Another person logs in; from then on the server takes everybody for that person.
  private func logInEve(trust: Trust = .system) async throws -> SessionContext {
    server.settings.subject = "eve"
    var options = LoginOptions()
    options.trust = trust
    return try await Self.logIn(book, server, options)
  }

  private var keyRequests: Int { server.requests.filter { $0.path == "/keys" }.count }

  @Test func `the new key is fetched, and what it signed is checked`() async throws {
    let before = keyRequests
    server.settings.keyID = "fake-2"
    _ = try await book.renewNow(ada.account)
    #expect(keyRequests == before + 1)
    #expect(
      try world.kinds().suffix(3) == ["refresh.started", "refresh.succeeded", "session.verified"])
    _ = try await book.renewNow(ada.account)
    #expect(keyRequests == before + 1, "it is known now")
  }

  @Test func `a server of ever new keys is asked for them every 30 seconds, not more`() async throws
  {
    let before = keyRequests
    server.settings.keyID = "fake-2"
    _ = try await book.renewNow(ada.account)
    server.settings.keyID = "fake-3"
    _ = try await book.renewNow(ada.account)
    #expect(keyRequests == before + 1)
    #expect(try world.kinds().last == "refresh.succeeded", "unchecked")
    #expect(try await book.context(of: ada.account).state.isUsable)
    world.clock.advance(by: .seconds(31))
    _ = try await book.renewNow(ada.account)
    #expect(keyRequests == before + 2)
    #expect(try world.kinds().last == "session.verified")
  }

  @Test func `programs that use one book share that limit, and what came of it`() async throws {
    let other = try await world.open(CurlTransport())
    let eve = try await logInEve()
    let before = keyRequests
    server.settings.keyID = "fake-2"
    _ = try await book.renewNow(eve.account)
    server.settings.subject = FakeIdentityServer.subject
    _ = try await other.renewNow(ada.account)
    #expect(keyRequests == before + 1)
    #expect(try world.kinds().filter { $0 == "session.verified" }.count == 2, "both are checked")
    server.settings.keyID = "fake-3"
    _ = try await other.renewNow(ada.account)
    #expect(keyRequests == before + 1)
    #expect(try world.kinds().last == "refresh.succeeded", "unchecked")
  }

  @Test func `accounts of one issuer share what one of them has fetched`() async throws {
    let eve = try await logInEve()
    let before = keyRequests
    server.settings.keyID = "fake-2"
    _ = try await book.renewNow(eve.account)
    server.settings.subject = FakeIdentityServer.subject
    _ = try await book.renewNow(ada.account)
    #expect(keyRequests == before + 1)
    #expect(try world.kinds().filter { $0 == "session.verified" }.count == 2, "both are checked")
  }

  @Test func `an account that trusts others asks for itself`() async throws {
    let eve = try await logInEve(
      trust: .authorities(file: "/etc/ssl/certs/ca-certificates.crt"))
    let before = keyRequests
    server.settings.keyID = "fake-2"
    _ = try await book.renewNow(eve.account)
    server.settings.subject = FakeIdentityServer.subject
    _ = try await book.renewNow(ada.account)
    #expect(keyRequests == before + 2)
  }

  @Test func `a login whose key is not published yet may come again`() async throws {
    server.settings.keyID = "fake-2"
    _ = try await book.renewNow(ada.account)
    let before = keyRequests
    server.settings.keyID = "fake-3"
    server.settings.staleKeyAnswers = 1
    let failure = await #expect(throws: GatebookError.self) { _ = try await logInEve() }
    #expect(failure?.code == .serverUnavailable)
    #expect(keyRequests == before + 1)
    world.clock.advance(by: .seconds(31))
    #expect(try await logInEve().state == .active)
  }

  @Test func `another user's tokens are not used after any login`() async throws {
    server.settings.keyID = "fake-2"
    server.settings.subject = "another"
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await book.renewNow(ada.account)
    }
    #expect(
      try await book.context(of: ada.account).state == .needsLogin(.identityMismatch))
  }

  @Test func `a page about another one than the ID token ends no session and revokes nothing`()
    async throws
  {
    _ = try await book.restore(ada.account)
    server.settings.changes[.userInfo] = ["sub": #""another""#, "name": #""Eve""#]
    let failures = try await book.sync().failures
    #expect(failures.map { $0.error.code } == [.loginUnprovable])
    #expect(failures.first?.error.message.contains("names another user") == true)
    let notes = HTTPRequest.get(try #require(HTTPURL("\(server.url)/notes")))
    #expect(try await book.send(notes).status == 200)
    await expect(.loginUnprovable) { () throws(GatebookError) in
      _ = try await book.refreshAttributes(of: ada.account)
    }
    let after = try await book.context(of: ada.account)
    #expect(after.state.isUsable && after.session == ada.session && after.user == ada.user)
    #expect(!server.requests.contains { $0.path == "/revoke" })
    #expect(try !world.kinds().contains("session.ended"))
    // A renewal confirms the session itself.
    #expect(try await book.renewNow(ada.account))
    #expect(try await book.context(of: ada.account).state == .active)
  }

  @Test func `a page about nobody ends no session`() async throws {
    _ = try await book.restore(ada.account)
    server.settings.subject = ""
    _ = try? await book.sync()
    #expect(try await book.context(of: ada.account).state.isUsable)
  }
}
