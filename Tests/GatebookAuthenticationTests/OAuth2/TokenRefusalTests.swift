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

  private static let rows = [
    Row(error(400, "invalid_grant"), "code.refused", "credentials.refused", "token.refused"),
    Row(error(401, "invalid_token"), "code.refused", "credentials.refused", "token.refused"),
    Row(error(403, "access_denied"), "code.refused", "credentials.refused", "token.refused"),
    Row(.answer(400), "code.refused", "credentials.refused", "token.refused"),
    Row(.answer(403), "code.refused", "credentials.refused", "token.refused"),
    Row(
      .answer(401), "configuration.invalid", "configuration.invalid", "token.refused"),
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
    Row(error(200, "odd"), "content.unexpected", "content.unexpected", "content.unexpected"),
  ]

  @Test(arguments: rows)
  func `each answer means one thing for each grant`(_ row: Row) throws {
    let url = try HTTPURL.at("https://portal.example.test/o/oauth2/token")
    let codes = [TokenRefusal.Grant.code, .password, .refresh].map {
      TokenRefusal.error(row.reply, $0, at: url, emptyRefusesClient: true).code.rawValue
    }
    #expect(codes == row.codes)
  }

  @Test
  func `an empty 401 refuses the password where it does not mean the client`() throws {
    let url = try HTTPURL.at("https://portal.example.test/o/oauth2/token")
    let error = TokenRefusal.error(.answer(401), .password, at: url, emptyRefusesClient: false)
    #expect(error.code == .credentialsRefused)
  }
}
