import Gatebook
import GatebookCurl
import GatebookFakes
import Testing

/// A book that logs in to an OpenID provider, which does what a test wants, over the real
/// transport.
struct RelyingParty {
  static let callback = "com.example.app:/back"

  let world: TestBook
  /// The provider's clock.
  let clock: ShiftedClock
  let server: FakeIdentityServer
  let line = EditedLine()
  let book: SessionBook

  init(_ change: (inout FakeIdentitySettings) -> Void = { _ in }) async throws {
    world = try TestBook()
    clock = ShiftedClock(clock: world.clock)
    var settings = FakeIdentitySettings()
    change(&settings)
    server = try FakeIdentityServer(settings: settings, clock: clock)
    try server.start()
    book = try await world.open(line)
  }

  /// The application.
  static func application(
    _ authentication: OAuth2Application.Authentication = .none, signed: Set<String> = ["RS256"]
  ) -> OAuth2Application {
    var application = OAuth2Application(
      clientID: FakeIdentityServer.clientID, authentication: authentication,
      scopes: ["openid", "profile"])
    application.tokenAlgorithms = signed
    return application
  }

  /// Logs in by a code.
  ///
  /// - Parameters:
  ///   - application: The application.
  ///   - issuer: The issuer of the settings; the provider's own unless given.
  ///   - options: How to keep it.
  /// - Returns: The context, or the failure.
  /// - Throws: Where the issuer is no URL.
  func logIn(
    _ application: OAuth2Application = application(), issuer: String? = nil,
    options: LoginOptions = LoginOptions()
  ) async throws -> Result<SessionContext, GatebookError> {
    let issuer = try #require(Issuer(issuer ?? server.issuer))
    do throws(GatebookError) {
      let pending = try await book.beginLogIn(
        .openID(
          issuer: issuer, application: application, flow: .code(redirectURI: Self.callback)),
        options: options)
      return .success(try await book.finishLogIn(redirect: await Self.visit(pending.page)))
    } catch {
      return .failure(error)
    }
  }

  /// Opens a page of the provider, which asks nobody, and tells where it sends the browser.
  private static func visit(_ page: HTTPURL) async -> String {
    (try? await FaultPerson.follow(page.description)) ?? ""
  }

  /// How often a path was asked for.
  func count(_ path: String) -> Int {
    server.requests.filter { $0.path == path }.count
  }
}
