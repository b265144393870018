internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

struct TokenRefusalTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let reply: HTTPReply
    /// The codes for a code, a password and a refresh token.
    let codes: [String]

    init(_ reply: HTTPReply, _ code: String, _ password: String, _ refresh: String) {
      self.reply = reply
      codes = [code, password, refresh]
    }

    var testDescription: String { "\(reply.status) \(String(decoding: reply.body, as: UTF8.self))" }
  }

  private static func error(_ status: Int, _ code: String) -> HTTPReply {
    .json(status, "{\"error\":\"\(code)\"}")
  }

  private static func empty(_ status: Int) -> HTTPReply {
    .answer(status, ["Content-Length": "0"])
  }

  private static let rows = [
    Row(error(400, "invalid_grant"), "code.refused", "credentials.refused", "token.refused"),
    Row(error(401, "invalid_token"), "code.refused", "server.refused", "token.refused"),
    // A second factor, or the person's consent: the password may be right.
    Row(error(400, "interaction_required"), "code.refused", "server.refused", "token.refused"),
    Row(error(200, "consent_required"), "code.refused", "server.refused", "token.refused"),
    Row(error(403, "access_denied"), "code.refused", "credentials.refused", "token.refused"),
    Row(empty(400), "code.refused", "credentials.refused", "token.refused"),
    Row(empty(403), "code.refused", "credentials.refused", "server.refused"),
    Row(empty(401), "configuration.invalid", "configuration.invalid", "token.refused"),
    Row(.answer(400), "code.refused", "credentials.refused", "content.unexpected"),
    Row(
      error(401, "invalid_client"), "configuration.invalid", "configuration.invalid",
      "configuration.invalid"),
    Row(
      error(400, "unauthorized_client"), "configuration.invalid", "configuration.invalid",
      "configuration.invalid"),
    Row(
      error(400, "invalid_scope"), "configuration.invalid", "configuration.invalid",
      "configuration.invalid"),
    Row(
      .json(
        400, "{\"error\":\"invalid_request\",\"error_description\":\"Client ID is invalid\"}"),
      "code.refused", "configuration.invalid", "configuration.invalid"),
    Row(
      error(400, "invalid_request"), "code.refused", "credentials.refused", "configuration.invalid"),
    Row(error(403, "invalid_code"), "code.refused", "server.refused", "server.refused"),
    Row(.page(400), "code.refused", "server.refused", "server.refused"),
    Row(.page(418), "code.refused", "server.refused", "server.refused"),
    Row(.page(404), "configuration.invalid", "configuration.invalid", "configuration.invalid"),
    Row(.page(500), "server.unavailable", "server.unavailable", "server.unavailable"),
    Row(.answer(429), "server.unavailable", "server.unavailable", "server.unavailable"),
    Row(.redirect(to: "/x"), "server.moved", "server.moved", "server.moved"),
    Row(.page(200), "content.unexpected", "content.unexpected", "content.unexpected"),
    Row(error(200, "invalid_grant"), "code.refused", "credentials.refused", "token.refused"),
    Row(error(200, "odd"), "code.refused", "content.unexpected", "content.unexpected"),
    // GitHub's.
    Row(
      error(200, "bad_verification_code"), "code.refused", "content.unexpected",
      "content.unexpected"),
    Row(error(400, "bad_verification_code"), "code.refused", "server.refused", "server.refused"),
    Row(
      error(200, "bad_refresh_token"), "code.refused", "content.unexpected", "token.refused"),
    Row(
      error(200, "invalid_client"), "configuration.invalid", "content.unexpected",
      "content.unexpected"),
  ]

  @Test(arguments: rows)
  func `each answer means one thing for each grant`(_ row: Row) throws {
    let url = try HTTPURL.at("https://portal.example.test/o/oauth2/token")
    let codes = [TokenRefusal.Grant.code, .password, .refresh].map {
      TokenRefusal.error(row.reply, $0, at: url, emptyRefusesClient: true).code.rawValue
    }
    #expect(codes == row.codes)
  }

  @Test(arguments: [TokenRefusal.Grant.code, .refresh, .client])
  func `the server's own code is kept, whatever it means`(_ grant: TokenRefusal.Grant) throws {
    let url = try HTTPURL.at("https://portal.example.test/o/oauth2/token")
    for status in [200, 400] {
      let reply = Self.error(status, "bad_verification_code")
      let error = TokenRefusal.error(reply, grant, at: url, emptyRefusesClient: false)
      guard error.code != .serverRefused else { continue }
      #expect(error.serverCode == "bad_verification_code", "\(status) \(error.code)")
    }
  }

  @Test(arguments: [
    (HTTPReply.page(200), "The answer of the device authorization endpoint did not"),
    (error(400, "invalid_request"), "The device authorization endpoint rejected the request."),
    (error(400, "invalid_redirect_uri"), "The device authorization endpoint rejected"),
    (error(400, "invalid_scope"), "The device authorization endpoint does not grant this client"),
    (error(401, "invalid_client"), "The server does not know this client"),
    (empty(400), "The server does not know this client"),
  ])
  func `a failure names who was asked, and why`(_ reply: HTTPReply, _ message: String) throws {
    let error = TokenRefusal.error(
      reply, .client, at: try .at("https://auth.example.test/device"), emptyRefusesClient: true,
      setting: "device authorization endpoint")
    #expect(error.message.hasPrefix(message), "\(error.message)")
  }

  @Test(arguments: [
    ("{\"access_token\":\"a\"}", "has no token_type", "RFC 6749 section 5.1"),
    ("{\"access_token\":\"a\",\"token_type\":null}", "has no token_type", "RFC 6749 section 5.1"),
    ("access_token=a&token_type=bearer", "form-encoded", "JSON"),
    ("error=invalid_grant&error_description=no", "form-encoded", "JSON"),
    (
      "{\"access_token\":\"a\",\"token_type\":\"mac\"}", "The token endpoint granted nothing",
      "server"
    ),
    ("<html></html>", "The answer of the token endpoint did not", "server"),
  ])
  func `a grant that cannot be read says what is wrong with it`(
    _ body: String, _ message: String, _ remedy: String
  ) throws {
    let url = try HTTPURL.at("https://portal.example.test/o/oauth2/token")
    for grant in [TokenRefusal.Grant.code, .password, .device] {
      let error = TokenRefusal.error(.page(200, body), grant, at: url, emptyRefusesClient: false)
      #expect(error.code == .contentUnexpected)
      #expect(error.message.contains(message), "\(error)")
      #expect(error.remedy.contains(remedy), "\(error)")
    }
  }

  @Test(arguments: ["interaction_required", "login_required", "mfa_required", "invalid_token"])
  func `what is not about the password is not told as a wrong one`(_ code: String) throws {
    let url = try HTTPURL.at("https://portal.example.test/o/oauth2/token")
    let error = TokenRefusal.error(
      Self.error(400, code), .password, at: url, emptyRefusesClient: false)
    #expect(error.code == .serverRefused)
    #expect(error.message.contains(code))
    #expect(error.serverCode == code)
  }

  @Test func `a proof that is refused is most often about the clock`() throws {
    let url = try HTTPURL.at("https://portal.example.test/o/oauth2/token")
    let error = TokenRefusal.error(
      Self.error(400, "invalid_dpop_proof"), .code, at: url, emptyRefusesClient: false)
    #expect(error.code == .codeRefused)
    #expect(error.remedy.contains("clock"))
  }

  @Test
  func `an empty 401 refuses the password where it does not mean the client`() throws {
    let url = try HTTPURL.at("https://portal.example.test/o/oauth2/token")
    let error = TokenRefusal.error(.answer(401), .password, at: url, emptyRefusesClient: false)
    #expect(error.code == .credentialsRefused)
  }
}
