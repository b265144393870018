import Gatebook
import GatebookTestSupport
import Testing

/// Logins whose code the person enters on another device.
@Suite struct DeviceLoginTests {
  /// Shows codes, and no pages.
  private final class Screen: Browser {
    let codes = TestBox<[DeviceCode]>([])
    let pages = TestBox<[String]>([])

    func open(_ page: HTTPURL) async throws(GatebookError) {
      pages.withLock { $0.append(page.description) }
    }

    func redirect() async throws(GatebookError) -> String {
      throw GatebookError(.cancelled, "No redirect.", remedy: "None.")
    }

    func show(_ code: DeviceCode) async throws(GatebookError) {
      codes.withLock { $0.append(code) }
    }
  }

  /// Opens pages, and knows nothing of codes.
  private struct Window: Browser {
    let pages = TestBox<[String]>([])

    func open(_ page: HTTPURL) async throws(GatebookError) {
      pages.withLock { $0.append(page.description) }
    }

    func redirect() async throws(GatebookError) -> String {
      throw GatebookError(.cancelled, "No redirect.", remedy: "None.")
    }
  }

  private static let site = "https://auth.example"

  private func method(
    _ authentication: OAuth2Application.Authentication = .none
  ) throws -> LoginMethod {
    var server = OAuth2Server()
    server.deviceAuthorisationURL = HTTPURL("\(Self.site)/device")
    server.revocationURL = HTTPURL("\(Self.site)/revoke")
    return .oauth2(
      tokenURL: try #require(HTTPURL("\(Self.site)/token")), server,
      application: OAuth2Application(clientID: "app", authentication: authentication),
      flow: .device,
      checkURL: HTTPURL("https://api.example/me"), user: "ada")
  }

  private static func json(_ status: Int, _ body: String) -> HTTPReply {
    HTTPReply(status: status, body: Array(body.utf8))
  }

  private static let codes = json(
    200,
    """
    {"device_code":"dev-secret","user_code":"ABCD","verification_uri":"\(site)/enter",
    "verification_uri_complete":"\(site)/enter?c=ABCD","expires_in":1800}
    """)
  private static let granted = json(
    200,
    """
    {"access_token":"acc-secret","token_type":"bearer","refresh_token":"ref-secret",
    "expires_in":600,"scope":"read write"}
    """)

  /// Answers so many polls with "not yet".
  private func transport(pending: Int) -> ScriptedTransport {
    let polls = TestBox(0)
    return ScriptedTransport { request, _ throws(TransportFailure) in
      switch request.url.path {
      case "/device": return Self.codes
      case "/token":
        let count = polls.withLock {
          $0 += 1
          return $0
        }
        return count > pending
          ? Self.granted : Self.json(400, "{\"error\":\"authorization_pending\"}")
      default:
        let isOpen = request.fields.contains { $0.value == "Bearer acc-secret" }
        return HTTPReply(status: isOpen ? 200 : 401)
      }
    }
  }

  @Test func `it waits for the person as long as the code lives`() async throws {
    let world = try TestBook()
    let transport = transport(pending: 100)
    let book = try await world.open(transport)
    let start = world.clock.now()
    let screen = Screen()
    let ada = try await book.logIn(method(), browser: screen)
    #expect(ada.state == .active)
    #expect(screen.codes.value.map(\.userCode) == ["ABCD"])
    #expect(screen.pages.value.isEmpty)
    #expect(transport.requests.filter { $0.url.path == "/token" }.count == 101)
    #expect(world.clock.now().boot - start.boot == .seconds(505))
    #expect(
      try world.kinds().suffix(6).dropLast(2) == [
        "login.started", "challenge.received", "challenge.answered", "account.added",
      ])
    let success = try BookReader.open(at: world.path).events(EventFilter())
      .first { $0.kind == "login.succeeded" }
    #expect(success?.data["scope"] == "read write")
    let later = try await world.open(transport)
    let reply = try await later.send(
      .get(try #require(HTTPURL("https://api.example/me"))), as: ada.account)
    #expect(reply.status == 200)
  }

  @Test func `a code that nobody enters ends the login, and nothing else`() async throws {
    let world = try TestBook()
    let book = try await world.open(transport(pending: .max))
    let method = try method()
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: Screen())
    }
    #expect(try await book.accounts().isEmpty)
    #expect(try world.kinds().last == "login.failed")
  }

  @Test func `the application's secret with each question does not answer for the person`()
    async throws
  {
    let world = try TestBook()
    let book = try await world.open(transport(pending: .max))
    let method = try method(.basic(Secret("app-secret")))
    await expect(.challengeTimedOut) { () throws(GatebookError) in
      _ = try await book.logIn(method, browser: Screen())
    }
    #expect(
      try world.kinds().suffix(3) == ["login.started", "challenge.received", "login.failed"])
  }

  @Test func `a browser without codes opens the page that has the code in it`() async throws {
    let world = try TestBook()
    let book = try await world.open(transport(pending: 0))
    let window = Window()
    _ = try await book.logIn(method(), browser: window)
    #expect(window.pages.value == ["\(Self.site)/enter?c=ABCD"])
  }

  @Test func `without a browser nobody could enter the code`() async throws {
    let world = try TestBook()
    let book = try await world.open(transport(pending: 0))
    let method = try method()
    await expect(.challengeUnhandled) { () throws(GatebookError) in
      _ = try await book.logIn(method)
    }
  }
}
