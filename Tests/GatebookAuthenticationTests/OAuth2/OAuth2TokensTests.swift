internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

struct OAuth2TokensTests {
  @Test(
    arguments: [
      ("600", Duration.seconds(600)), ("600.5", .seconds(600)), ("\"600\"", .seconds(600)),
      ("\"600.9\"", .seconds(600)), ("0", .zero), ("-1", nil), ("\"soon\"", nil), ("null", nil),
      ("99999999999999", nil),
    ] as [(String, Duration?)])
  func `a life comes as integer, fraction or text`(_ written: String, _ lifetime: Duration?) throws
  {
    let json = "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"expires_in\":\(written)}"
    let tokens = try #require(OAuth2Tokens(.json(200, json)))
    #expect(tokens.lifetime == lifetime)
    #expect(tokens.refresh == nil)
  }

  @Test(arguments: [
    "{\"access_token\":\"a\"}", "{\"token_type\":\"bearer\"}", "[]", "<html>", "",
    "{\"access_token\":\"\",\"token_type\":\"bearer\"}",
    "{\"access_token\":\"a\",\"token_type\":\"mac\"}", "{\"error\":\"invalid_grant\"}",
  ])
  func `what is no grant`(_ body: String) {
    #expect(OAuth2Tokens(.json(200, body)) == nil)
  }

  @Test
  func `a grant labelled as HTML is a grant`() {
    let reply = HTTPReply.page(200, "{\"access_token\":\"a\",\"token_type\":\"BEARER\"}")
    #expect(OAuth2Tokens(reply) != nil)
  }

  @Test
  func `a renewal without refresh token and scope keeps the old ones`() throws {
    let old = try #require(
      OAuth2Tokens(
        .json(
          200,
          "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"refresh_token\":\"r\",\"scope\":\"x y\"}"
        )))
    let new = try #require(
      OAuth2Tokens(.json(200, "{\"access_token\":\"b\",\"token_type\":\"bearer\"}")))
    let kept = old.renewed(by: new)
    #expect(kept.access.text == "b")
    #expect(kept.refresh?.text == "r")
    #expect(kept.scope == "x y")
    #expect(kept.lifetime == nil)
  }
}
