import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// Sessions that only the server's introspection endpoint can prove (RFC 7662).
struct IntrospectionTests {
  private static let active = HTTPReply.json(
    200, "{\"active\":true,\"sub\":\"7\",\"username\":\"ada\",\"exp\":1.5}")

  private func method(
    _ authentication: OAuth2Application.Authentication = .basic(Secret("s3cret")),
    checkURL: String? = nil
  ) throws -> LoginMethod {
    try PlainServer.method(
      .password(user: "ada", Secret("s3cret-word")), authentication, paths: ["introspect"],
      checkURL: checkURL)
  }

  private func outcome() throws -> Outcome {
    var login = Dialogue(try method())
    try login.play([IdentityServer.granted(), Self.active])
    return try #require(login.outcome)
  }

  @Test func `the endpoint names who logged in, asked by the application`() throws {
    var login = Dialogue(try method())
    try login.play([IdentityServer.granted(), Self.active])
    let outcome = try #require(login.outcome)
    #expect(outcome.evidence == .identity)
    #expect(outcome.person.userID == "7")
    #expect(outcome.person.loginName == "ada")
    let asked = try #require(login.requests.last)
    #expect("\(asked.method) \(asked.url)" == "POST https://auth.example.test/introspect")
    #expect(asked.field("Authorization")?.hasPrefix("Basic ") == true)
    let body = try #require(FormFields(decoding: asked.body))
    #expect(body["token"] == "tok12345")
    #expect(body["token_type_hint"] == "access_token")
  }

  @Test(arguments: [
    HTTPReply.json(200, "{\"active\":false}"), .json(200, "{\"active\":true}"), .json(200, "{}"),
    .answer(401), .answer(404), .page(),
  ])
  func `what names nobody proves no login`(_ reply: HTTPReply) throws {
    var login = Dialogue(try method())
    #expect(login.ending([IdentityServer.granted(), reply]) == "login.unprovable")
  }

  @Test func `a server that does not answer now names nobody, and may do so later`() throws {
    var login = Dialogue(try method())
    #expect(login.ending([IdentityServer.granted(), .answer(503)]) == "server.unavailable")
    var lost = Dialogue(try method())
    try lost.play([IdentityServer.granted()])
    let failure = TransportFailure(
      GatebookError(.networkUnreachable, "Gone.", remedy: "Wait."), delivery: .maybeSent)
    #expect(ending(lost, [.failure(failure)]) == "network.unreachable")
  }

  @Test func `an application without a secret does not ask, and a check URL goes first`() throws {
    var open = Dialogue(try method(.none))
    #expect(open.ending([]) == "configuration.invalid")
    var checked = Dialogue(try method(checkURL: PlainServer.check))
    #expect(checked.ending([.answer(401), IdentityServer.granted(), .answer(200)]) == "finish")
    #expect(!checked.requests.contains { $0.url.path == "/introspect" })
  }

  private static let rows = [
    DialogueRow("start", [], "POST https://auth.example.test/introspect"),
    DialogueRow("good", [active], "finish"),
    DialogueRow("over", [.json(200, "{\"active\":false}")], "session.refused"),
    DialogueRow("nobody's", [.json(200, "{\"active\":true}")], "finish"),
    DialogueRow(
      "by name alone", [.json(200, "{\"active\":true,\"username\":\"x\"}")], "finish"),
    DialogueRow("no answer to the question", [.json(200, "{}")], "content.unexpected"),
    DialogueRow("text for a truth", [.json(200, "{\"active\":\"true\"}")], "content.unexpected"),
    DialogueRow("the client is refused", [.answer(401)], "configuration.invalid"),
    DialogueRow("gone", [.answer(404)], "configuration.invalid"),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
    DialogueRow("moved", [.redirect(to: "/x")], "server.moved"),
    DialogueRow("a page", [.page()], "content.unexpected"),
  ]

  @Test(arguments: rows)
  func `a session is proven by it, and ended only by its no`(_ row: DialogueRow) throws {
    let proof = try outcome().proof
    var dialogue = Dialogue(proof.verification(jar: CookieJar()))
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test func `without a renewal only a use of the token ends its session`() throws {
    var login = Dialogue(try method())
    try login.play([IdentityServer.granted(["refresh_token": nil]), Self.active])
    let proof = try #require(login.outcome).proof
    var dialogue = Dialogue(proof.verification(jar: CookieJar()))
    #expect(dialogue.ending([.json(200, "{\"active\":false}")]) == "login.unprovable")
  }

  @Test(arguments: [("ada", "ada"), ("eve", "eve")])
  func `users known by name alone are distinguished by name`(name: String, told: String) throws {
    var login = Dialogue(try method())
    let ada = HTTPReply.json(200, "{\"active\":true,\"username\":\"ada\"}")
    try login.play([IdentityServer.granted(), ada])
    let outcome = try #require(login.outcome)
    #expect(outcome.person.userID == "ada")
    let proof = outcome.proof
    var dialogue = Dialogue(proof.verification(jar: CookieJar()))
    try dialogue.play([.json(200, "{\"active\":true,\"username\":\"\(name)\",\"sub\":\"7\"}")])
    #expect(dialogue.outcome?.person.userID == told)
  }

  @Test func `another user's token is named for what it is`() throws {
    let proof = try outcome().proof
    var dialogue = Dialogue(proof.verification(jar: CookieJar()))
    try dialogue.play([.json(200, "{\"active\":true,\"sub\":\"8\"}")])
    #expect(dialogue.outcome?.person.userID == "8")
  }
}
