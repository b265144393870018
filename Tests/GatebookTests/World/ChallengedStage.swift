import Gatebook
import GatebookCurl
import GatebookFakes
import Testing

/// A book, a server of one login method, and a doorman between them.
struct ChallengedStage {
  /// The login methods.
  enum Mode: String, CaseIterable {
    case liferayBasic, liferayCookie, liferayOAuth1, liferayOAuth2Redirect, liferayOAuth2Password
    case oauth1, basic, digest, form, mobileFirst, fcsdk

    /// Those whose session has something to renew it by.
    static let renewed: [Mode] = [
      .liferayCookie, .liferayOAuth2Redirect, .liferayOAuth2Password, .mobileFirst,
    ]

    /// Those whose requests the method signs itself, so that nobody else's credential fits.
    var isSigned: Bool {
      switch self {
      case .liferayBasic, .liferayOAuth1, .liferayOAuth2Redirect, .liferayOAuth2Password, .oauth1:
        true
      case .liferayCookie, .basic, .digest, .form, .mobileFirst, .fcsdk: false
      }
    }
  }

  /// What is under way when the challenge comes.
  enum Moment: String, CaseIterable {
    case login, proof, renewal, resource
  }

  let world: TestBook
  let book: SessionBook
  let doorman: Doorman
  /// Logs a user in.
  let logIn: @Sendable () async throws -> AccountID
  /// Renews what the session is made of.
  let renew: @Sendable (AccountID) async throws -> Void
  /// A request for what only the user gets.
  let page: HTTPRequest
  /// Keeps the server.
  private let server: any Sendable

  init(_ mode: Mode) async throws {
    switch mode {
    case .liferayBasic: try await self.init(portal: .email)
    case .liferayCookie: try await self.init(portal: .cookie)
    case .liferayOAuth1: try await self.init(portal: .oauth1)
    case .liferayOAuth2Redirect: try await self.init(portal: .oauth2Redirect)
    case .liferayOAuth2Password: try await self.init(portal: .oauth2Password)
    case .oauth1:
      let world = try TestBook()
      try await self.init(world, SignedServer(world.clock).transport, "https://api.example/photos")
      {
        _ = try await $0.beginLogIn(.signed())
        return try await $0.finishLogIn(redirect: "app://back?oauth_token=tmp&oauth_verifier=v")
      }
    case .basic:
      let site = "http://127.0.0.1:8080/private/"
      try await self.init(try TestBook(), BasicServer().transport, site) {
        try await $0.logIn(.basic(site))
      }
    case .digest:
      let portal = try await PortalWorld.gated(.sha256)
      let url = try portal.url("/web/guest")
      try await self.init(portal.world, portal.transport, url.description, keeping: portal.portal) {
        try await $0.logIn(
          .http(url: url, user: "gate", password: Secret("front door word")))
      }
    case .form:
      let server = FormServer()
      let url = try server.url("/page")
      try await self.init(try TestBook(), server.transport, url.description) {
        try await $0.logIn(server.login())
      }
    case .fcsdk:
      let gateway = try await GatewayWorld()
      try await self.init(
        gateway.world, gateway.transport, gateway.url("/csdk-sample/nothing").description,
        keeping: gateway.gateway
      ) { try await $0.logIn(gateway.login()) }
    case .mobileFirst: try await self.init(await MobileFirstWorld())
    }
  }

  private init(portal mode: PortalMode) async throws {
    let portal = try await PortalWorld()
    try await self.init(
      portal.world, portal.transport, portal.url("/").description, keeping: portal.portal,
      page: portal.call()
    ) { book in
      let method = try portal.method(mode)
      guard mode.opensPage else { return try await book.logIn(method) }
      let pending = try await book.beginLogIn(method)
      return try await book.finishLogIn(redirect: portal.redirect(of: pending))
    }
  }

  private init(_ other: MobileFirstWorld) async throws {
    world = other.world
    doorman = Doorman(before: other.transport)
    let book = try await other.world.open(doorman.transport)
    self.book = book
    page = .get(try other.url("balance"))
    server = other.server
    logIn = {
      let manager = try await other.manager(in: book)
      try await manager.authenticate(.user("john"), check: "UserLogin")
      _ = try await manager.obtainAccessToken(forScope: "UserLogin")
      return try #require(await manager.account)
    }
    renew = { account in
      let manager = try await book.authorizationManager(of: account)
      let token = try await manager.obtainAccessToken(forScope: "UserLogin")
      try await manager.clearAccessToken(token)
      _ = try await manager.obtainAccessToken(forScope: "UserLogin")
    }
  }

  private init(
    _ world: TestBook, _ transport: any Transport, _ url: String,
    keeping server: any Sendable = 0, page: HTTPRequest? = nil,
    _ logIn: @escaping @Sendable (SessionBook) async throws -> SessionContext
  ) async throws {
    self.world = world
    self.server = server
    doorman = Doorman(before: transport)
    let book = try await world.open(doorman.transport)
    self.book = book
    self.page = try page ?? .get(#require(HTTPURL(url)))
    self.logIn = { try await logIn(book).account }
    renew = { account in
      let isRenewed = try await book.renewNow(account)
      #expect(isRenewed)
    }
  }
}
