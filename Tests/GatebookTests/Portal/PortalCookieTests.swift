import Gatebook
import GatebookFakes
import GatebookTestSupport
import Testing

/// Sessions that never send a cookie.
@Suite struct PortalCookieTests {
  enum Mode: CaseIterable, Sendable {
    case basic
    case oauth1
    case oauth2Redirect
    case oauth2Password

    var login: LiferayLogin {
      let secret = Secret("cipher")
      switch self {
      case .basic: return .basic(.screenName("ada"), password: secret)
      case .oauth1: return .oauth(consumerKey: "key", consumerSecret: secret)
      case .oauth2Redirect:
        return .oauth2Redirect(clientID: "client", redirectURI: "com.example.app:/callback")
      case .oauth2Password:
        return .oauth2Password(
          user: "ada", password: secret, clientID: "client", clientSecret: secret)
      }
    }
  }

  /// A portal that sets a cookie with every answer.
  private let portal = ScriptedTransport { request, _ throws(TransportFailure) in
    let body =
      switch request.url.path {
      case "/c/portal/oauth/request_token":
        "oauth_token=rt-1&oauth_token_secret=rs-1&oauth_callback_confirmed=true"
      case "/c/portal/oauth/access_token": "oauth_token=tok&oauth_token_secret=s"
      case "/o/oauth2/token": "{\"access_token\":\"tok\",\"token_type\":\"Bearer\"}"
      case "/api/jsonws/invoke":
        "[\(Self.user),\(Self.user)]"
      default: "a document"
      }
    return HTTPReply(
      status: 200, fields: [HTTPField("Set-Cookie", "JSESSIONID=\(request.url.path.count)")],
      body: Array(body.utf8))
  }
  private static let user = "{\"userId\":\"123456\",\"companyId\":\"7\",\"screenName\":\"ada\"}"

  private func logIn(_ mode: Mode, _ book: SessionBook) async throws -> SessionContext {
    let server = try #require(HTTPURL("https://portal.example.test"))
    let method = LoginMethod.liferay(LiferayPortal(server: server, companyID: 7), mode.login)
    guard method.opensPage else { return try await book.logIn(method) }
    let pending = try await book.beginLogIn(method)
    let query = try #require(FormFields(decoding: Array((pending.page.query ?? "").utf8)))
    let fields =
      mode == .oauth1
      ? "oauth_token=rt-1&oauth_verifier=v" : "code=c&state=\(try #require(query["state"]))"
    return try await book.finishLogIn(redirect: "\(pending.redirectURI)?\(fields)")
  }

  @Test(arguments: Mode.allCases)
  func `a session that sends no cookies keeps none`(_ mode: Mode) async throws {
    let world = try TestBook()
    let book = try await world.open(portal)
    let ada = try await logIn(mode, book)
    let url = try #require(HTTPURL("https://portal.example.test/documents/1"))
    let reply = try await book.send(.get(url), as: ada.account)
    #expect(reply.fields.first("Set-Cookie") != nil)
    #expect(try !world.kinds().contains("cookies.changed"))
  }
}
