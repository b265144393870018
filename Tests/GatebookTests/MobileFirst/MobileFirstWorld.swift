import Gatebook
import GatebookCurl
import GatebookFakes
import GatebookTestSupport
import Testing

/// A book, a fake MobileFirst server on one clock with it, and the real transport between them.
struct MobileFirstWorld {
  /// One key pair for all tests but those about key pairs: making one takes long.
  static let key = RSAKey.generate()

  let world: TestBook
  let server: FakeMobileFirstServer
  let transport = CurlTransport()
  let book: SessionBook

  init() async throws {
    world = try TestBook()
    server = try FakeMobileFirstServer.sample(clock: world.clock)
    try server.start()
    book = try await world.open(transport)
  }

  func app() throws -> MobileFirstApp {
    MobileFirstApp(
      server: try #require(HTTPURL("\(server.url)/mfp")), applicationID: "com.example.app",
      version: "1.0")
  }

  func manager(
    _ account: AccountID? = nil, in other: SessionBook? = nil, app: MobileFirstApp? = nil
  ) async throws -> AuthorizationManager {
    try await (other ?? book).authorizationManager(
      for: try app ?? self.app(), account: account, options: LoginOptions(),
      makeKey: { Self.key })
  }

  /// A manager with a handler under each of the names.
  func handled(
    _ checks: String..., account: AccountID? = nil
  ) async throws -> (AuthorizationManager, RecordingHandler) {
    let manager = try await manager(account)
    let handler = RecordingHandler()
    for check in checks { await manager.register(handler, for: check) }
    return (manager, handler)
  }

  /// The last parts of the paths that the server was asked for.
  func routes() -> [String] {
    server.requests.map { request in
      let path = request.request.path
      return path.hasSuffix("/self") ? "register" : String(path.split(separator: "/").last ?? "")
    }
  }

  func url(_ path: String) throws -> HTTPURL {
    try #require(HTTPURL("\(server.apiURL)/adapters/ResourceAdapter/\(path)"))
  }

  func pass(_ seconds: Int) { world.clock.advance(by: .seconds(seconds)) }

  /// The events of a kind, with their facts.
  func events(_ kinds: EventKind...) async throws -> [RecordedEvent] {
    try await book.events(after: .start).filter { event in
      kinds.contains { $0.rawValue == event.kind }
    }
  }
}

extension ChallengeAnswer {
  static func user(
    _ name: String, _ password: String? = nil, rememberMe: Bool? = nil
  ) -> ChallengeAnswer {
    ChallengeAnswer(
      username: name, password: Secret(password ?? name), rememberMe: rememberMe)
  }

  static func pin(_ pin: String) -> ChallengeAnswer { ChallengeAnswer(pin: Secret(pin)) }
}
