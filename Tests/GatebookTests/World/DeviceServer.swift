import Gatebook
import GatebookTestSupport
import Testing

/// A server of OAuth 2 that gives codes for another device.
enum DeviceServer {
  static let site = "https://auth.example"

  /// A login by a code, whose user the server does not name.
  static func method(
    _ authentication: OAuth2Application.Authentication = .none, bindsTokens: Bool = false
  ) throws -> LoginMethod {
    var application = OAuth2Application(clientID: "app", authentication: authentication)
    application.bindsTokens = bindsTokens
    var server = OAuth2Server()
    server.deviceAuthorisationURL = HTTPURL("\(Self.site)/device")
    server.revocationURL = HTTPURL("\(Self.site)/revoke")
    return .oauth2(
      tokenURL: try #require(HTTPURL("\(Self.site)/token")), server,
      application: application,
      flow: .device,
      checkURL: HTTPURL("https://api.example/me"), user: "ada")
  }

  static func json(_ status: Int, _ body: String) -> HTTPReply {
    HTTPReply(status: status, body: Array(body.utf8))
  }

  private static let codes = json(
    200,
    """
    {"device_code":"dev-secret","user_code":"ABCD","verification_uri":"\(site)/enter",
    "verification_uri_complete":"\(site)/enter?c=ABCD","expires_in":1800}
    """)
  static let granted = json(
    200,
    """
    {"access_token":"acc-secret","token_type":"bearer","refresh_token":"ref-secret",
    "expires_in":600,"scope":"read write"}
    """)

  /// Answers a number of polls with "not yet"; calls back before each, counted from 1.
  static func transport(
    pending: Int, refusal: String = "authorization_pending",
    onPoll: @escaping @Sendable (Int) async -> Void = { _ in }
  ) -> ScriptedTransport {
    let polls = TestBox(0)
    return ScriptedTransport { request, _ throws(TransportFailure) in
      switch request.url.path {
      case "/device": return Self.codes
      case "/revoke": return HTTPReply(status: 200)
      case "/token":
        let count = polls.withLock {
          $0 += 1
          return $0
        }
        await onPoll(count)
        return count > pending
          ? Self.granted : Self.json(400, "{\"error\":\"\(refusal)\"}")
      default:
        let isOpen = request.fields.contains { $0.value == "Bearer acc-secret" }
        return HTTPReply(status: isOpen ? 200 : 401)
      }
    }
  }

  /// Begins a login and leaves it as a process that was killed would.
  static func abandoned(
    in world: TestBook, _ transport: ScriptedTransport
  ) async throws -> (image: TestBook, shown: [DeviceCode]) {
    let book = try await world.open(transport)
    let image = TestBox<TestBook?>(nil)
    let screen = DeviceScreen { image.value = try? world.crashImage() }
    _ = try await book.logIn(method(), browser: screen)
    let left = try #require(image.value)
    left.clock.set(world.clock.now())
    return (left, screen.codes.value)
  }

  /// Gives up all logins that wait for a code.
  static func cancelAll(_ book: SessionBook?) async {
    for login in (try? await book?.pendingLogins()) ?? [] {
      _ = try? await book?.cancelLogIn(login.id)
    }
  }
}
