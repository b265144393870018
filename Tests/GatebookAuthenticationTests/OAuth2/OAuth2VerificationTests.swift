import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

struct OAuth2VerificationTests {
  private func check(_ outcome: Outcome) throws -> Dialogue {
    let method = type(of: outcome.proof).method
    let proof = try #require(SessionProofs.decode(method: method, record: outcome.proof.record))
    return Dialogue(proof.verification(jar: CookieJar()))
  }

  private static let rows = [
    DialogueRow("start", [], "GET https://issuer.example/me"),
    DialogueRow("the same user", [IdentityServer.userInfo], "finish"),
    DialogueRow("another user", [.json(200, "{\"sub\":\"another\"}")], "login.unprovable"),
    DialogueRow("nobody", [.json(200, "{}")], "content.unexpected"),
    DialogueRow("a number", [.json(200, "{\"sub\":7}")], "content.unexpected"),
    DialogueRow("a page", [.page()], "content.unexpected"),
    DialogueRow("refused", [.answer(401)], "session.refused"),
    DialogueRow("forbidden", [.answer(403)], "server.refused"),
    DialogueRow("gone", [.answer(404)], "configuration.invalid"),
    DialogueRow("moved", [.redirect(to: "/x")], "server.moved"),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
  ]

  @Test(arguments: rows)
  func `the server says whose the token is`(_ row: DialogueRow) throws {
    var dialogue = try check(IdentityServer.outcome())
    #expect(dialogue.ending(row.replies) == row.ending)
    #expect(dialogue.requests.first?.field("Authorization") == "Bearer tok12345")
  }

  @Test
  func `a page about another one than the ID token is dropped, and the check URL proves`() throws {
    let another = HTTPReply.json(200, "{\"sub\":\"another\",\"name\":\"Eve\"}")
    let method = try IdentityServer.method(checkURL: PlainServer.check)
    let outcome = try IdentityServer.outcome(method)
    var dialogue = try check(outcome)
    #expect(dialogue.ending([another]) == "GET \(PlainServer.check)")
    #expect(ending(dialogue, [.reply(.answer(401))]) == "session.refused")
    try dialogue.hand(in: .reply(.answer(200)))
    let proven = try #require(dialogue.outcome)
    #expect(proven.person == outcome.person)
    #expect(proven.attributes.names.isEmpty)
  }

  @Test
  func `such a page is named for what it is, and starts no other check of the token`() throws {
    let metadata = IdentityServer.metadata([
      "introspection_endpoint": "\"https://issuer.example/introspect\""
    ])
    let method = try IdentityServer.method(
      .code(redirectURI: IdentityServer.callback),
      IdentityServer.application(.basic(Secret("s3cret"))))
    var dialogue = try check(IdentityServer.outcome(method, metadata: metadata))
    let error = #expect(throws: GatebookError.self) {
      try dialogue.play([.json(200, "{\"sub\":\"another\"}")])
    }
    #expect(error?.code == .loginUnprovable)
    #expect(error?.cause == "ID token: userinfo sub")
    #expect(error?.status == 200)
  }

  @Test
  func `a page signed by a new key is read with the newest keys, asked for once`() throws {
    let header = #"{"alg":"EdDSA","kid":"new"}"#
    let page = HTTPReply.answer(
      200, body: try TokenMint().token(#"{"sub":"248289761001","name":"J"}"#, header: header))
    var dialogue = try check(IdentityServer.outcome())
    try dialogue.play([page])
    #expect(dialogue.requests.last?.url.description == "https://issuer.example/keys")
    #expect(ending(dialogue, [.reply(try IdentityServer.keys(id: "new"))]) == "finish")
    #expect(ending(dialogue, [.reply(try IdentityServer.keys())]) == "content.unexpected")
    #expect(ending(dialogue, [.reply(.answer(503))]) == "content.unexpected")
  }

  @Test
  func `what the ID token told stays, what the page tells is new`() throws {
    var login = try IdentityServer.redeemed(claims: ["locale": "\"en\"", "name": "\"J\""])
    try login.hand(in: .reply(IdentityServer.keys()))
    try login.hand(in: .reply(IdentityServer.userInfo))
    var dialogue = try check(try #require(login.outcome))
    try dialogue.play([.json(200, "{\"sub\":\"248289761001\",\"name\":\"Jane D.\"}")])
    let outcome = try #require(dialogue.outcome)
    #expect(
      outcome.attributes.facts == ["locale": "en", "name": "Jane D.", "sub": "248289761001"])
    #expect(outcome.person == login.outcome?.person)
    #expect(outcome.evidence == .identity)
  }

  @Test
  func `without an ID token the page alone names the user`() throws {
    let method = try PlainServer.method(paths: ["me"], checkURL: nil)
    var login = Dialogue(method)
    try login.play([IdentityServer.granted(), .json(200, "{\"sub\":\"7\"}")])
    let outcome = try #require(login.outcome)
    var same = try check(outcome)
    #expect(same.ending([.json(200, "{\"sub\":\"7\"}")]) == "finish")
    var other = try check(outcome)
    try other.play([.json(200, "{\"sub\":\"8\"}")])
    #expect(other.outcome?.person.userID == "8")
    var nobody = try check(outcome)
    #expect(nobody.ending([.json(200, "{}")]) == "content.unexpected")
  }

  @Test(arguments: [
    (HTTPReply.answer(200), "finish"), (.answer(401), "session.refused"),
    (.answer(403), "server.refused"), (.redirect(to: "/login"), "server.moved"),
    (.answer(503), "server.unavailable"),
  ])
  func `a session without an identity is proven by its check URL`(
    _ reply: HTTPReply, _ end: String
  ) throws {
    var dialogue = try check(PlainServer.outcome())
    #expect(dialogue.ending([reply]) == end)
    #expect(dialogue.requests.map(\.url.description) == [PlainServer.check])
  }

  @Test
  func `where nothing proves a session nothing is sent`() throws {
    var login = Dialogue(
      try PlainServer.method(.clientCredentials, .basic(Secret("s3cret")), checkURL: nil))
    try login.play([IdentityServer.granted()])
    var dialogue = try check(try #require(login.outcome))
    #expect(dialogue.ending([]) == "login.unprovable")
    #expect(dialogue.requests.isEmpty)
  }
}
