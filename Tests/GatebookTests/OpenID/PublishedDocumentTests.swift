import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// What a server publishes of itself is known to all logins of a book, also of other programs.
@Suite struct PublishedDocumentTests {
  private let world: TestBook
  private let server: FakeIdentityServer
  private static let place = "/.well-known/openid-configuration"

  init() async throws {
    world = try TestBook()
    server = try FakeIdentityServer(clock: world.clock)
    try server.start()
  }

  /// A login by another program.
  @discardableResult
  private func logIn(user: String = FakeIdentityServer.user) async throws -> SessionContext {
    let book = try await world.open(CurlTransport())
    do {
      let context = try await book.logIn(
        .openID(
          issuer: try #require(Issuer(server.url)),
          application: OAuth2Application(clientID: FakeIdentityServer.clientID),
          flow: .password(user: user, Secret(FakeIdentityServer.password))))
      await book.close()
      return context
    } catch {
      await book.close()
      throw error
    }
  }

  private var asked: Int { server.requests.count { $0.path == Self.place } }

  @Test func `a login reads the metadata again, because it may have been corrected`() async throws {
    try await logIn()
    try await logIn()
    #expect(asked == 2)
  }

  @Test func `while the server says that its word is good, it is not asked`() async throws {
    server.inject(.alter { $0.with("Cache-Control", "max-age=600") }, on: Self.place, times: nil)
    try await logIn()
    world.clock.advance(by: .seconds(599))
    try await logIn()
    #expect(asked == 1)
    world.clock.advance(by: .seconds(2))
    try await logIn()
    #expect(asked == 2)
  }

  @Test func `a login that fails has it be asked for again`() async throws {
    server.inject(.alter { $0.with("Cache-Control", "max-age=600") }, on: Self.place, times: nil)
    try await logIn()
    await #expect(throws: GatebookError.self) { try await logIn(user: "nobody") }
    try await logIn()
    #expect(asked == 2)
  }

  @Test func `while the server cannot say where it is, what it said last serves`() async throws {
    try await logIn()
    server.inject(.status(500), on: Self.place, times: nil)
    world.clock.advance(by: .seconds(100_000))
    #expect(try await logIn().state == .active)
    let login = try BookReader.open(at: world.path).events(EventFilter()).last {
      $0.kind == "login.succeeded"
    }
    let found = try #require(login?.data["discovered"]?.integer)
    #expect(
      world.clock.now().wall - Timestamp(rawValue: found) >= .seconds(100_000), "its age is told")
  }

  @Test func `nobody knows it after an account was erased`() async throws {
    let ada = try await logIn()
    let book = try await world.open(CurlTransport())
    _ = try await book.erase(ada.account)
    await book.close()
    server.inject(.status(500), on: Self.place, times: nil)
    await expect(.serverUnavailable) { () throws(GatebookError) in
      do {
        try await logIn()
      } catch {
        throw (error as? GatebookError)
          ?? GatebookError(.preconditionFailed, "\(error)", remedy: "")
      }
    }
  }
}
