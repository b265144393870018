internal import Gatebook
internal import GatebookCurl

/// The authorization server, and what its people do there.
struct Site: Sendable {
  let base: String

  static let transport = CurlTransport()

  /// The names of all people.
  static let people = (1...20).map { "user-" + ($0 < 10 ? "0" : "") + "\($0)" }

  func url(_ path: String) throws(GatebookError) -> HTTPURL {
    guard let url = HTTPURL(base + path) else { throw noURL(path) }
    return url
  }

  private func issuer() throws(GatebookError) -> Issuer {
    guard let issuer = Issuer(base + "/o") else { throw noURL("/o") }
    return issuer
  }

  private func noURL(_ path: String) -> GatebookError {
    GatebookError(.configurationInvalid, "No URL: \(base)\(path)", remedy: "Name a server.")
  }

  /// A login by name and password.
  func login(of name: String) throws(GatebookError) -> LoginMethod {
    var server = OAuth2Server()
    server.revocationURL = try url("/o/revoke_token/")
    return .openID(
      issuer: try issuer(), server: server,
      application: OAuth2Application(
        clientID: "gatebook-password", authentication: .basic(Secret("password-secret")),
        scopes: ["read"]),
      flow: .password(user: name, Secret(name + "-pass")))
  }

  /// Whether the server answers as it does for a logged-in person.
  static func speaks(_ reply: HTTPReply, for name: String) -> Bool {
    reply.status == 200
      && String(decoding: reply.body, as: UTF8.self).hasPrefix("{\"user\": \"\(name)\",")
  }
}
