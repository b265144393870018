internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

struct DiscoveryTests {
  private typealias Server = IdentityServer

  private static let first = "GET https://issuer.example/.well-known/openid-configuration"
  private static let second = "GET https://issuer.example/.well-known/oauth-authorization-server"
  private static let other = IdentityServer.metadata(["issuer": "\"https://other.example\""])

  private static let rows = [
    DialogueRow("start", [], first),
    DialogueRow("found", [Server.metadata()], "open"),
    DialogueRow(
      "labelled as text", [Server.metadata(fields: ["Content-Type": "text/plain"])], "open"),
    DialogueRow("not there", [.answer(404)], second),
    DialogueRow("forbidden there", [.answer(403)], second),
    DialogueRow("a page", [.page()], second),
    DialogueRow("no issuer in it", [Server.metadata(["issuer": nil])], second),
    DialogueRow("moved", [.redirect(to: "/x")], second),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
    DialogueRow("of another issuer", [other], "configuration.invalid"),
    DialogueRow(
      "with a slash", [Server.metadata(["issuer": "\"https://issuer.example/\""])],
      "configuration.invalid"),
    DialogueRow(
      "in capitals", [Server.metadata(["issuer": "\"https://Issuer.example\""])],
      "configuration.invalid"),
    DialogueRow("found at last", [.answer(404), Server.metadata()], "open"),
    DialogueRow("nowhere", [.answer(404), .answer(404)], "configuration.invalid"),
    DialogueRow("nowhere, moved first", [.redirect(to: "/x"), .answer(404)], "server.moved"),
    DialogueRow("nowhere, a page first", [.page(), .answer(404)], "content.unexpected"),
    DialogueRow("then in trouble", [.answer(404), .answer(500)], "server.unavailable"),
    DialogueRow("then of another issuer", [.answer(404), other], "configuration.invalid"),
    DialogueRow(
      "without a token endpoint", [Server.metadata(["token_endpoint": nil])],
      "configuration.invalid"),
    DialogueRow("without keys", [Server.metadata(["jwks_uri": nil])], "configuration.invalid"),
    DialogueRow(
      "with null members",
      [Server.metadata(["revocation_endpoint": "null", "token_endpoint": "null"])],
      "configuration.invalid"),
    DialogueRow(
      "with a cleartext endpoint",
      [Server.metadata(["token_endpoint": "\"http://issuer.example/token\""])],
      "configuration.invalid"),
    DialogueRow(
      "with an endpoint on this machine",
      [Server.metadata(["token_endpoint": "\"http://127.0.0.1:99/token\""])], "open"),
    DialogueRow(
      "without S256", [Server.metadata(["code_challenge_methods_supported": "[\"plain\"]"])],
      "configuration.invalid"),
    DialogueRow(
      "with S256",
      [Server.metadata(["code_challenge_methods_supported": "[\"plain\",\"S256\"]"])], "open"),
    DialogueRow(
      "with null methods", [Server.metadata(["code_challenge_methods_supported": "null"])],
      "open"),
  ]

  @Test(arguments: rows)
  func `each answer leads where the table says`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try Server.method())
    let ending = dialogue.ending(row.replies)
    #expect((dialogue.opened == nil ? ending : "open") == row.ending)
  }

  @Test(arguments: [
    ([HTTPReply.answer(503)], "open"), ([.page(), .page()], "open"),
    ([.answer(404), .answer(502)], "open"),
    ([.answer(404), .answer(404)], "configuration.invalid"),
    ([DiscoveryTests.other], "configuration.invalid"),
  ])
  func `while the server is down, what somebody else found there serves`(
    _ replies: [HTTPReply], _ end: String
  ) throws {
    var dialogue = Dialogue(try Server.method())
    dialogue.kept = Server.metadata()
    let ending = dialogue.ending(replies)
    #expect((dialogue.opened == nil ? ending : "open") == end)
  }

  @Test
  func `what another issuer said does not`() throws {
    var dialogue = Dialogue(try Server.method())
    dialogue.kept = Self.other
    #expect(dialogue.ending([.answer(503)]) == "server.unavailable")
  }

  @Test
  func `no answer is the transport's failure`() throws {
    var dialogue = Dialogue(try Server.method())
    try dialogue.play([])
    let lost = TransportFailure(
      GatebookError(.networkUnreachable, "Gone.", remedy: "Wait."), delivery: .maybeSent)
    #expect(ending(dialogue, [.failure(lost)]) == "network.unreachable")
  }

  @Test(arguments: [
    ("https://a.example/realms/x", "/realms/x/.well-known/openid-configuration"),
    ("https://a.example/realms/x/", "/realms/x/.well-known/openid-configuration"),
    ("http://127.0.0.1:8080", "/.well-known/openid-configuration"),
  ])
  func `the document is below the issuer`(_ issuer: String, _ path: String) throws {
    var dialogue = Dialogue(try Server.method(issuer: issuer))
    try dialogue.play([])
    #expect(dialogue.requests.last?.url.path == path)
    #expect(dialogue.requests.last?.limits.total == .seconds(30))
    #expect(dialogue.requests.last?.limits.body == 1 << 20)
  }

  @Test
  func `the other place is between host and path`() throws {
    var dialogue = Dialogue(try Server.method(issuer: "https://a.example/realms/x"))
    try dialogue.play([.answer(404)])
    let path = try #require(dialogue.requests.last?.url.path)
    #expect(path == "/.well-known/oauth-authorization-server/realms/x")
  }

  @Test(arguments: [
    ("https://issuer.example", "https://issuer.example/", false),
    ("https://issuer.example/", "https://issuer.example", false),
    ("https://issuer.example:443", "https://issuer.example", false),
    ("https://Issuer.example/r", "https://issuer.example/r", false),
    ("https://issuer.example/r", "https://issuer.example/%72", false),
    ("https://issuer.example/", "https://issuer.example/", true),
    ("https://issuer.example:443/r", "https://issuer.example:443/r", true),
    ("https://issuer.example:0443", "https://issuer.example:0443", true),
    ("HTTPS://Issuer.example/r", "HTTPS://Issuer.example/r", true),
    ("https://issuer.example/a/../r", "https://issuer.example/a/../r", true),
  ])
  func `an issuer is compared byte for byte, as it was written`(
    _ set: String, _ said: String, _ isSame: Bool
  ) throws {
    var dialogue = Dialogue(try Server.method(issuer: set))
    let ending = dialogue.ending([Server.metadata(["issuer": "\"\(said)\""])])
    #expect(
      (dialogue.opened == nil ? ending : "open") == (isSame ? "open" : "configuration.invalid"))
    guard !isSame else { return }
    let error = try Dialogue.failure(
      of: Server.method(issuer: set), Server.metadata(["issuer": "\"\(said)\""]))
    #expect(error.remedy.contains("Give \(said)") == (HTTPURL(set) == HTTPURL(said)))
  }

  private static func mismatch(_ set: String, _ said: String) throws -> GatebookError {
    try Dialogue.failure(
      of: Server.method(issuer: set), Server.metadata(["issuer": "\"\(said)\""]))
  }

  @Test(arguments: [
    ("https://issuer.example", "https://issuer.example/"),
    ("https://issuer.example/", "https://issuer.example"),
    ("https://issuer.example/realms/a", "https://issuer.example/realms/a/"),
    ("https://issuer.example/realms/a/", "https://issuer.example/realms/a"),
    ("https://issuer.example:443", "https://issuer.example"),
    ("http://127.0.0.1:8080/a", "http://localhost:8080/a"),
  ])
  func `another name of the same place is what to give, exactly`(
    _ set: String, _ said: String
  ) throws {
    let error = try Self.mismatch(set, said)
    #expect(error.message.contains(set), "\(error)")
    #expect(error.cause == "it says \(said)")
    #expect(error.remedy.hasPrefix("Give \(said) as the issuer"), "\(error)")
    #expect(error.setting == "issuer" && error.fittingValue == said)
    #expect(error.fault == "issuer")
  }

  @Test(arguments: [
    (
      "https://login.example/common/v2.0", "https://login.example/{tenantid}/v2.0",
      "your tenant's ID"
    ),
    (
      "https://login.example/{tenantid}", "https://login.example/{tenantid}/",
      "your tenant's ID"
    ),
    // A server behind a proxy, whose name would be refused.
    ("https://issuer.example", "http://issuer.example", "X-Forwarded-Proto"),
    ("https://issuer.example/a", "http://issuer.example:80/a", "X-Forwarded-Proto"),
    ("https://issuer.example", "http://issuer.example:8080/auth/realms/a", "X-Forwarded-Proto"),
    ("https://issuer.example", "https://other.example", "If this is the right server"),
    ("https://issuer.example/a", "https://issuer.example/A", "If this is the right server"),
    ("https://issuer.example", "", "If this is the right server"),
  ])
  func `a mismatch shows both names, and what can be done`(
    _ set: String, _ said: String, _ remedy: String
  ) throws {
    guard Issuer(set) != nil else { return }
    let error = try Self.mismatch(set, said)
    #expect(error.code == .configurationInvalid)
    #expect(error.message.contains(set), "\(error)")
    #expect(error.cause == "it says \(said)")
    #expect(error.remedy.contains(remedy), "\(error)")
    #expect(error.fittingValue == nil)
  }

  @Test(arguments: [
    ("https://a.example/.well-known/openid-configuration", "https://a.example"),
    ("https://a.example/r/x/.well-known/openid-configuration/", "https://a.example/r/x"),
    ("https://a.example/.well-known/oauth-authorization-server", "https://a.example"),
    ("https://a.example/.well-known/oauth-authorization-server/r/x", "https://a.example/r/x"),
  ])
  func `the address of a description says what to leave out`(
    _ typed: String, _ issuer: String
  ) throws {
    var dialogue = Dialogue(try Server.method(issuer: typed))
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.requests.isEmpty)
    let error = try Dialogue.failure(of: Server.method(issuer: typed))
    #expect(error.remedy.hasPrefix("Leave out"), "\(error)")
    #expect(error.remedy.hasSuffix("give \(issuer)."), "\(error)")
    #expect(error.setting == "issuer" && error.fittingValue == issuer)
  }

  @Test(arguments: [
    ("/login?token=rabbit", "https://issuer.example/login", "its new URL"),
    ("https://new.example/a/b;jsessionid=rabbit#x", "https://new.example/a/b", "its new URL"),
    // To give that one would be refused: it is without TLS.
    ("http://issuer.example/a", "http://issuer.example/a", "X-Forwarded-Proto"),
    ("http://new.example/a", "http://new.example/a", "its new URL"),
  ])
  func `a redirect is reported with its whole path`(
    _ location: String, _ told: String, _ remedy: String
  ) throws {
    let moved = HTTPReply.redirect(to: location)
    let error = try Dialogue.failure(of: Server.method(), moved, moved)
    #expect(error.code == .serverMoved)
    #expect(error.cause == "redirected to \(told)")
    #expect(error.remedy.contains(remedy), "\(error)")
    #expect(!error.description.contains("rabbit"))
  }

  @Test(arguments: [
    "http://issuer.example", "https://issuer.example/?a=b", "https://issuer.example/#a",
  ])
  func `an issuer that cannot be one is not asked`(_ issuer: String) throws {
    var dialogue = Dialogue(try Server.method(issuer: issuer))
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.requests.isEmpty)
  }

  @Test
  func `what is set by hand wins, and fills what is missing`() throws {
    var server = OAuth2Server()
    server.tokenURL = try .at("https://issuer.example//hand/token")
    server.trustsS256 = true
    var dialogue = try Server.visiting(
      Server.method(server: server),
      metadata: Server.metadata(["code_challenge_methods_supported": "[]"]))
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    #expect(dialogue.requests.last?.url.description == "https://issuer.example//hand/token")
  }

  @Test(arguments: [
    ("http://127.0.0.1:8080/realms/x", "http://localhost:8080/realms/x", true),
    ("http://localhost:8080", "http://127.0.0.1:8080", true),
    ("http://localhost:8080/", "http://[::1]:8080/", true),
    ("http://localhost:8080", "http://127.0.0.1:8081", false),
    ("http://localhost:8080/realms/x", "http://127.0.0.1:8080/realms/y", false),
    ("https://localhost", "https://issuer.example", false),
  ])
  func `another name of this machine is reported as that, with what to give`(
    _ given: String, _ said: String, _ isName: Bool
  ) throws {
    let error = try Dialogue.failure(
      of: Server.method(issuer: given), Server.metadata(["issuer": "\"\(said)\""]))
    #expect(error.code == .configurationInvalid)
    #expect(error.message.contains("another name of this machine") == isName, "\(error.message)")
    #expect(error.remedy.contains("Give \(said)") == isName, "\(error.remedy)")
    #expect(error.cause == "it says \(said)")
  }
}
