internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

struct OAuth2TokensTests {
  @Test(
    arguments: [
      ("600", Duration.seconds(600)), ("600.5", .seconds(600)), ("\"600\"", .seconds(600)),
      ("\"600.9\"", .seconds(600)), ("0", nil), ("0.0", nil), ("\"0\"", nil),
      ("0.001", .milliseconds(1)), ("-1", nil), ("\"soon\"", nil), ("null", nil),
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

  @Test(arguments: [
    ("repo user", ["repo"], "repo user"), ("repo,user", ["repo", "user"], "repo user"),
    ("repo,user", [], "repo,user"),
    ("a,b", ["a,b"], "a,b"), ("a,b c", ["c"], "a,b c"),
    ("a, b", ["a", "b"], "a b"), ("a, b", [], "a b"), ("a ,b", ["b"], "a b"),
    ("a, b,c", ["a", "b", "c"], "a b,c"), ("a, b, c", ["x"], "a b c"), (", ,", ["a"], ""),
  ])
  func `commas separate scopes where nothing that was asked for is there otherwise`(
    _ scope: String, _ asked: [String], _ read: String
  ) {
    #expect(OAuth2Granted.separated(scope, asked: asked) == read)
  }

  @Test(arguments: [
    (#""x y""#, "x y"), (#"["x","y"]"#, "x y"), (#"["x y","z"]"#, "x y z"), ("[]", ""),
    (#""""#, ""),
    ("null", nil),
  ])
  func `a scope is a text or an array of texts`(_ written: String, _ scope: String?) throws {
    let json = "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"scope\":\(written)}"
    for isRenewal in [false, true] {
      let tokens = try #require(OAuth2Tokens(.json(200, json), isRenewal: isRenewal))
      #expect(tokens.scope == scope)
    }
  }

  @Test(arguments: ["1", "true", "{}", "[1]", #"["x",null]"#, #"[["x"]]"#])
  func `a scope of another type is refused at a login, and costs no renewal its tokens`(
    _ written: String
  ) throws {
    let json = "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"scope\":\(written)}"
    #expect(OAuth2Tokens(.json(200, json)) == nil)
    let renewed = try #require(OAuth2Tokens(.json(200, json), isRenewal: true))
    #expect(renewed.scope == nil)
    let error = TokenRefusal.error(
      .json(200, json), .code, at: try .at("https://auth.example.test/token"),
      emptyRefusesClient: false)
    #expect(error.code == .contentUnexpected)
    #expect(error.message.contains("scope"), "\(error)")
  }

  @Test
  func `a grant labelled as HTML is a grant`() {
    let reply = HTTPReply.page(200, "{\"access_token\":\"a\",\"token_type\":\"BEARER\"}")
    #expect(OAuth2Tokens(reply) != nil)
  }

  private func tokens(_ more: String) throws -> OAuth2Tokens {
    try #require(
      OAuth2Tokens(
        .json(
          200,
          "{\"access_token\":\"a\",\"token_type\":\"bearer\",\"expires_in\":60,\"scope\":\"x\","
            + "\"refresh_token\":\"r\",\"id_token\":\"i\"\(more)}")))
  }

  @Test
  func `what a server tells besides is kept as it is`() throws {
    let tokens = try tokens(
      ",\"patient\":\"p-1\",\"n\":7,\"f\":1.5,\"b\":true,\"o\":{\"z\":[1,{}],\"a\":null},\"nil\":null"
    )
    #expect(tokens.others.names == ["b", "f", "n", "nil", "o", "patient"])
    #expect(tokens.others["patient"] == "p-1")
    #expect(tokens.others.facts["n"] == 7)
    #expect(tokens.others["o"] == #"{"a":null,"z":[1,{}]}"#)
    #expect(OAuth2Tokens(record: tokens.record)?.others == tokens.others)
    #expect(try self.tokens("").others.isEmpty)
    for text in [
      "\(tokens)", String(reflecting: tokens), "\(tokens.others)",
      String(reflecting: tokens.others),
    ] {
      #expect(!text.contains("p-1"), "\(text)")
    }
  }

  @Test
  func `an answer that lacks them leaves them, one that has them replaces them`() throws {
    let old = try tokens(",\"a\":1,\"b\":2")
    let new = old.renewed(by: try tokens(",\"b\":3,\"c\":4"))
    #expect(new.others.facts == ["a": 1, "b": 3, "c": 4])
    #expect(old.renewed(by: try tokens("")).others == old.others)
  }

  @Test
  func `there is room for 16 KiB of them, the newest first`() throws {
    let long = String(repeating: "x", count: 16 << 10)
    let tokens = try tokens(",\"a\":\"\(long)\",\"b\":\"\(long.dropLast(100))\",\"c\":\"\(long)\"")
    #expect(tokens.others.names == ["b"])
    let renewed = tokens.renewed(by: try self.tokens(",\"z\":\"\(long.dropLast(200))\""))
    #expect(renewed.others.names == ["z"])
    // A book of before has none.
    var record = tokens.record
    record["others"] = nil
    #expect(OAuth2Tokens(record: record)?.others.isEmpty == true)
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
