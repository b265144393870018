import Gatebook
import GatebookCurl
import GatebookFakes
import Testing

/// Logging out all accounts of the book.
@Suite struct LogOutAllTests {
  /// Looks at the book whenever a server receives a logout.
  private struct WatchedLine: Transport {
    let transport = CurlTransport()
    let path: String
    let seen: TestBox<[[SessionState]]>

    func send(
      _ request: HTTPRequest, through route: Route
    ) async throws(TransportFailure) -> HTTPReply {
      if request.url.path == "/revoke", let reader = try? BookReader.open(at: path),
        let accounts = try? reader.accounts()
      {
        seen.withLock { $0.append(accounts.map(\.state)) }
      }
      return try await transport.send(request, through: route)
    }
  }

  @Test func `all accounts are logged out locally before a server hears of any`() async throws {
    let world = try TestBook()
    let server = try FakeIdentityServer(clock: world.clock)
    try server.start()
    let line = WatchedLine(path: world.path, seen: TestBox([]))
    let book = try await world.open(line)
    for subject in ["ada", "bob", "eve"] {
      server.settings.subject = subject
      _ = try await book.logIn(
        .openID(
          issuer: try #require(Issuer(server.url)),
          application: OAuth2Application(clientID: FakeIdentityServer.clientID),
          flow: .password(
            user: FakeIdentityServer.user, Secret(FakeIdentityServer.password))))
    }
    let contexts = try await book.logOutAll()
    let all = Array(repeating: SessionState.ended(.user), count: 3)
    #expect(contexts.map(\.state) == all)
    #expect(line.seen.value.first == all)
    let kinds = try world.kinds()
    #expect(kinds.filter { $0 == "logout.requested" }.count == 3)
    #expect(kinds.filter { $0 == "logout.completed" }.count == 3)
    #expect(line.seen.value.count == 6, "a refresh and an access token each")
    #expect(try await book.logOutAll().map(\.state) == all)
    #expect(try world.kinds().count == kinds.count, "nothing is left to be ended")
  }
}
