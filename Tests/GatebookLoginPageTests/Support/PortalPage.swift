import Gatebook
import GatebookFakes
import GatebookLoginPage
import Testing

/// A login of Ada at a fake portal, on a page.
struct PortalPage {
  let world: PageWorld
  let portal: FakeLiferayPortal
  let ada = FakePortalUser.ada

  init(theme: LoginTheme = .default, clock: PageClock = PageClock()) async throws {
    world = try await PageWorld(theme: theme, clock: clock)
    portal = try FakeLiferayPortal(clock: world.clock)
    try portal.start()
  }

  var browser: PageBrowser { world.browser }

  /// The form of the portal.
  func form(
    _ mode: LiferayPageMode = .basic, by identity: LiferayIdentity = .email, user: String = ""
  ) throws -> LoginForm {
    .liferay(
      LiferayPortal(server: try #require(HTTPURL(portal.url)), companyID: 10154, version: .v7),
      by: identity, mode: mode, user: user)
  }
}
