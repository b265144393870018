import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

extension Situation {
  /// A session that lives by refresh tokens.
  struct Tokens {
    let world: TestBook
    let server: TokenServer
    let book: SessionBook
    let ada: AccountID

    init(
      options: LoginOptions = LoginOptions(), scopes: [String] = [],
      _ change: (inout TokenServer.Settings) -> Void = { _ in }
    ) async throws {
      world = try TestBook()
      server = TokenServer(world.clock)
      var settings = server.settings
      change(&settings)
      server.settings = settings
      book = try await world.open(server.transport)
      ada = try await book.logIn(server.method(scopes: scopes), options: options).account
    }

    /// Uses the account, whatever comes of it.
    func use() async throws { _ = try? await book.send(server.page(), as: ada) }
  }

  /// Renewals that fail while the session stays usable.
  static let renewals = [
    Situation("A server that asked to wait") {
      let stage = try await Tokens()
      stage.server.settings.answer = HTTPReply(
        status: 429, fields: [HTTPField("Retry-After", "3600")])
      stage.server.advance(500)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A client ID that the server does not know") {
      let stage = try await Tokens()
      stage.server.settings.answer = HTTPReply(
        status: 401, body: Array(#"{"error":"invalid_client"}"#.utf8))
      stage.server.advance(601)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A token endpoint that no longer exists") {
      let stage = try await Tokens()
      stage.server.settings.isMisplaced = true
      stage.server.advance(601)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("An answer with a new refresh token and no access token") {
      let stage = try await Tokens()
      stage.server.settings.tokenType = "mac"
      _ = try? await stage.book.renewNow(stage.ada)
      return try await stage.book.told(stage.ada)
    },
    Situation("Fewer scopes than requested") {
      let stage = try await Tokens(scopes: ["read", "write"]) { $0.scope = "read" }
      return try await stage.book.told(stage.ada)
    },
    Situation("A refused request, and the renewal after it") {
      let stage = try await Tokens()
      stage.server.endTokens()
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("No network") {
      let stage = try await Tokens()
      stage.server.settings.isDown = true
      stage.server.advance(601)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A server whose clock is ahead") {
      let stage = try await Tokens { $0.skew = .seconds(3600) }
      return try await stage.book.told(stage.ada)
    },
    Situation("A clock that jumped") {
      let stage = try await Tokens()
      stage.world.clock.jump(by: .seconds(7200))
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
  ]

  /// Renewals of which it is not known what became of them, and those that met others.
  static let doubts = [
    Situation("A process that ended during a renewal") {
      let stage = try await Tokens()
      stage.server.advance(601)
      let image = try await dying(stage)
      let book = try await image.open(stage.server.transport(isGated: false))
      _ = try? await book.send(stage.server.page(), as: stage.ada)
      return try await book.told(stage.ada)
    },
    Situation("A renewal whose outcome is not recorded") {
      let stage = try await Tokens()
      stage.server.advance(601)
      let image = try await dying(stage)
      let reader = try BookReader.open(at: image.path)
      let explanation = try #require(try reader.why(stage.ada, at: image.clock.now()))
      return Told(explanation)
    },
    Situation("A renewal without an end, followed by a logout") {
      let stage = try await Tokens()
      stage.server.advance(601)
      let image = try await dying(stage)
      let book = try await image.open(stage.server.transport(isGated: false))
      try await book.logOut(stage.ada)
      return try await book.told(stage.ada)
    },
    Situation("A second attempt that was answered") {
      let stage = try await Tokens()
      stage.server.advance(601)
      stage.server.settings.lostQuestions = 1
      stage.server.settings.answer = HTTPReply(status: 503)
      try await stage.use()
      stage.server.advance(3)
      try await stage.use()
      return try await stage.book.told(stage.ada)
    },
    Situation("A session that another program had renewed") {
      let stage = try await Tokens()
      let other = try await stage.world.open(stage.server.transport(isGated: false))
      await stage.server.gate.shut()
      let renewal = Task { try? await stage.book.renewNow(stage.ada) }
      await stage.server.gate.arrival()
      try await other.rotate(stage.ada)
      await stage.server.gate.open()
      _ = await renewal.value
      return try await stage.book.told(stage.ada)
    },
    Situation("A renewal that was answered after the logout") {
      let world = try await PortalWorld()
      let ada = try await world.logInRevocably()
      let gate = Gate(isOpen: false)
      let late = try await world.world.open(LateTokens(transport: world.transport, gate: gate))
      let renewal = Task { try? await late.renewNow(ada.account) }
      await gate.arrival()
      _ = try await world.book.logOut(ada.account)
      await gate.open()
      _ = await renewal.value
      return try await world.book.told(ada.account)
    },
    Situation("A lost connection to a gateway") {
      let world = try await GatewayWorld()
      let ada = try await world.book.logIn(world.login())
      let session = try await world.book.gatewaySession(of: ada.account)
      _ = try await world.book.gatewayConnectionLost(session)
      return try await world.book.told(ada.account)
    },
  ]

  /// What a process leaves that dies when its refresh is on the way, which the server then acts on.
  private static func dying(_ stage: Tokens) async throws -> TestBook {
    await stage.server.gate.shut()
    let dying = Task { try? await stage.book.token() }
    await stage.server.gate.arrival()
    let image = try stage.world.crashImage()
    image.clock.set(stage.world.clock.now())
    await stage.server.gate.open()
    _ = await dying.value
    return image
  }
}
