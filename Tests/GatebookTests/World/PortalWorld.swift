import Gatebook
import GatebookCurl
import GatebookFakes
import Testing

/// A book, a fake portal on one clock with it, and the real transport between them.
struct PortalWorld {
  let world: TestBook
  let portal: FakeLiferayPortal
  let book: SessionBook
  let transport = CurlTransport()

  init(_ version: FakePortalVersion = .v73, tls: LoopbackTLS? = nil) async throws {
    world = try TestBook()
    portal = try FakeLiferayPortal(tls: tls, clock: world.clock)
    portal.switches.version = version
    try portal.start()
    book = try await world.open(transport)
  }

  func liferay(_ version: LiferayPortal.Version = .v7) throws -> LiferayPortal {
    LiferayPortal(
      server: try #require(HTTPURL(portal.url)), companyID: 10154, version: version)
  }

  func cookie(
    _ user: FakePortalUser = .ada, lifetime: Duration = .seconds(900), refreshes: Bool = true
  ) throws -> LoginMethod {
    .liferay(
      try liferay(),
      .cookie(
        login: user.emailAddress, password: Secret(user.password), cookieExpirationTime: lifetime,
        shouldHandleCookieExpiration: refreshes))
  }

  func basic(_ user: FakePortalUser = .ada) throws -> LoginMethod {
    .liferay(
      try liferay(),
      .basic(.email(user.emailAddress), password: Secret(user.password)))
  }

  func url(_ path: String) throws -> HTTPURL { try #require(HTTPURL(portal.url + path)) }

  func logins() -> Int { portal.requests(to: .login).count }
}
