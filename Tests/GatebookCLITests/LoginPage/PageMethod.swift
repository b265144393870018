internal import Gatebook
internal import GatebookFakes

/// The methods whose credentials are typed on Gatebook's page.
enum PageMethod: String, CaseIterable, Sendable {
  case liferayEmail = "liferay basic by email"
  case liferayScreenName = "liferay basic by screen name"
  case liferayUserID = "liferay basic by user ID"
  case liferayCookie = "liferay cookie"
  case liferayPassword = "liferay oauth2-password"
  case http
  case form
  case oidc
  case oauth2
  case fcsdk
  case mobileFirst = "mobilefirst"

  /// The words after `gatebook` that log in at its server.
  func words(at url: String) -> [String] {
    let portal = ["login", "liferay", "--server", url, "--company-id", "10154"]
    let app = ["--client-id", FakeIdentityServer.clientID, "--flow", "password"]
    return switch self {
    case .liferayEmail: portal
    case .liferayScreenName: portal + ["--by", "screen-name"]
    case .liferayUserID: portal + ["--by", "user-id"]
    case .liferayCookie: portal + ["--mode", "cookie"]
    case .liferayPassword:
      portal + [
        "--mode", "oauth2-password", "--client-id", FakePortalApplication.confidential.clientID,
      ]
    case .http: ["login", "http", "--url", url + "/private/"]
    case .form: ["login", "form", "--url", url + "/dologin", "--check", url + "/shop/"]
    case .oidc: ["login", "oidc", "--issuer", url] + app
    case .oauth2:
      ["login", "oauth2", "--token-url", url + "/token", "--check", url + "/notes"] + app
    case .fcsdk: ["login", "fcsdk", "--server", url]
    case .mobileFirst:
      [
        "login", "mobilefirst", "--server", url + "/mfp", "--app", "com.example.app",
        "--app-version", "1.0", "--check", "UserLogin",
      ]
    }
  }

  /// The names of the fields, in their order.
  var fields: [String] {
    switch self {
    case .liferayPassword: ["user", "password", "clientSecret", "saveCredentials"]
    case .fcsdk:
      [
        "server", "port", "secure", "useCookies", "acceptsCertificates", "user", "password",
        "saveCredentials",
      ]
    case .mobileFirst: ["user", "password", "rememberMe"]
    default: ["user", "password", "saveCredentials"]
    }
  }

  /// What logs in, by the names of the fields.
  var answers: [(String, String)] {
    let ada = FakePortalUser.ada
    let user: (String, String) =
      switch self {
      case .liferayEmail, .liferayCookie, .liferayPassword: (ada.emailAddress, ada.password)
      case .liferayScreenName: (ada.screenName, ada.password)
      case .liferayUserID: ("\(ada.userID)", ada.password)
      case .http, .form: (PlainServer.user, PlainServer.password)
      case .oidc, .oauth2: (FakeIdentityServer.user, FakeIdentityServer.password)
      case .fcsdk: (FakeGatewayUser.ada.username, FakeGatewayUser.ada.password)
      case .mobileFirst: ("john", "john")
      }
    let answers = [("user", user.0), ("password", user.1)]
    guard self == .liferayPassword else { return answers }
    return answers + [("clientSecret", FakePortalApplication.confidential.secret ?? "")]
  }
}

/// The servers of all methods.
final class PageServers {
  let portal: FakeLiferayPortal
  let identity: FakeIdentityServer
  let gateway: FakeGateway
  let mobileFirst: FakeMobileFirstServer
  let plain: LoopbackServer

  init() throws {
    portal = try FakeLiferayPortal(seed: 7)
    identity = try FakeIdentityServer()
    gateway = try FakeGateway()
    mobileFirst = try FakeMobileFirstServer.sample()
    plain = try PlainServer.start()
    for server: any FakeServer in [portal, identity, gateway, mobileFirst] { try server.start() }
  }

  deinit { stop() }

  func stop() {
    for server: any FakeServer in [portal, identity, gateway, mobileFirst] { server.stop() }
    plain.stop()
  }

  /// Where a method logs in.
  func url(of method: PageMethod) -> String {
    switch method {
    case .liferayEmail, .liferayScreenName, .liferayUserID, .liferayCookie, .liferayPassword:
      portal.url
    case .http, .form: plain.url
    case .oidc, .oauth2: identity.url
    case .fcsdk: gateway.url
    case .mobileFirst: mobileFirst.url
    }
  }
}
