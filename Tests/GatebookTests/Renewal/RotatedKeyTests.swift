import Gatebook
import GatebookCurl
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
    ada = try await book.logIn(
      .openID(
        issuer: try #require(HTTPURL(server.url)),
        application: OAuth2Application(clientID: FakeIdentityServer.clientID),
        flow: .password(
          user: FakeIdentityServer.user, Secret(FakeIdentityServer.password))))
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

  @Test func `another user's tokens are not used, whoever signed for them`() async throws {
    server.settings.keyID = "fake-2"
    server.settings.subject = "another"
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await book.renewNow(ada.account)
    }
    #expect(
      try await book.context(of: ada.account).state == .needsLogin(.identityMismatch))
  }

  @Test func `a page about nobody ends no session`() async throws {
    _ = try await book.restore(ada.account)
    server.settings.subject = ""
    _ = try? await book.sync()
    #expect(try await book.context(of: ada.account).state.isUsable)
  }
}
