import Gatebook
import GatebookCurl
import GatebookFakes
import Testing

/// Which account a name that was given with a login finds.
@Suite struct TypedNameTests {
  private let world: TestBook
  private let server: FakeIdentityServer
  private let book: SessionBook

  init() async throws {
    world = try TestBook()
    server = try FakeIdentityServer(clock: world.clock)
    try server.start()
    book = try await world.open(CurlTransport())
  }

  /// A login on a page; where the server does not say who it is, the account is kept under the
  /// name.
  private func method(_ name: String, serverNames: Bool) throws -> LoginMethod {
    var places = OAuth2Server()
    places.authorisationURL = HTTPURL("\(server.url)/authorize")
    if serverNames { places.userInfoURL = HTTPURL("\(server.url)/me") }
    return .oauth2(
      tokenURL: try #require(HTTPURL("\(server.url)/token")), places,
      application: OAuth2Application(clientID: FakeIdentityServer.clientID),
      flow: .code(redirectURI: "com.example.app:/back"),
      checkURL: HTTPURL("\(server.url)/notes"), user: name)
  }

  private func logIn(_ method: LoginMethod) async throws -> SessionContext {
    let pending = try await book.beginLogIn(method)
    let reply = try await CurlTransport().send(
      .get(pending.page), through: Route(pool: "person", trust: .system))
    return try await book.finishLogIn(redirect: try #require(reply.fields.first("Location")))
  }

  private func accountsAfterFailure(_ method: LoginMethod) async throws -> [AccountID?] {
    let head = try #require(try await book.events(after: .start).last).position
    server.settings.denies = true
    let error = await #expect(throws: GatebookError.self) { _ = try await logIn(method) }
    #expect(error?.code == .challengeCancelled)
    server.settings.denies = false
    return try await book.events(after: head).map(\.account)
  }

  @Test(arguments: [FakeIdentityServer.clientID, FakeIdentityServer.user])
  func `a name that is only ours stays the account's that is kept under it`(
    _ name: String
  ) async throws {
    let ours = try method(name, serverNames: false)
    let theirs = try method(name, serverNames: true)
    let kept = try await logIn(ours)
    let named = try await logIn(theirs)
    #expect(kept.account != named.account)
    #expect(Set(try await accountsAfterFailure(ours)) == [kept.account])
    // Whose it would have been, the server has not said.
    #expect(Set(try await accountsAfterFailure(theirs)) == [nil])
  }

  @Test func `a name that is only ours finds nobody whom the server names`() async throws {
    let named = try await logIn(method(FakeIdentityServer.clientID, serverNames: true))
    let ours = try method(FakeIdentityServer.clientID, serverNames: false)
    #expect(Set(try await accountsAfterFailure(ours)) == [nil])
    #expect(try await logIn(ours).account != named.account)
  }
}
