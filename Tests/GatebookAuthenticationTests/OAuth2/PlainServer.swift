import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// A server of OAuth 2 whose endpoints are set by hand.
enum PlainServer {
  static let site = "https://auth.example.test"
  static let check = "https://api.example.test/me"

  static func server(_ paths: [String]) throws -> OAuth2Server {
    var server = OAuth2Server()
    for path in paths {
      let url = try HTTPURL.at("\(site)/\(path)")
      switch path {
      case "authorize": server.authorisationURL = url
      case "device": server.deviceAuthorisationURL = url
      case "introspect": server.introspectionURL = url
      case "leave": server.endSessionURL = url
      case "me": server.userInfoURL = url
      case "revoke": server.revocationURL = url
      default: Issue.record("no endpoint: \(path)")
      }
    }
    return server
  }

  static func method(
    _ flow: OAuth2Flow = .password(user: "ada", Secret("s3cret-word")),
    _ authentication: OAuth2Application.Authentication = .none, scopes: [String] = [],
    paths: [String] = ["authorize", "device", "revoke"], checkURL: String? = check,
    user: String? = nil, bindsTokens: Bool = false, token: String = "\(site)/token"
  ) throws -> LoginMethod {
    var application = OAuth2Application(
      clientID: "app", authentication: authentication, scopes: scopes)
    application.bindsTokens = bindsTokens
    return .oauth2(
      tokenURL: try .at(token), try server(paths), application: application, flow: flow,
      checkURL: try checkURL.map { try .at($0) }, user: user)
  }

  /// A login by password, the check URL first.
  static func outcome(
    _ method: LoginMethod? = nil, granted: HTTPReply = IdentityServer.granted()
  ) throws -> Outcome {
    var dialogue = Dialogue(try method ?? Self.method())
    try dialogue.play([.answer(401), granted, .answer(200)])
    return try #require(dialogue.outcome)
  }
}
