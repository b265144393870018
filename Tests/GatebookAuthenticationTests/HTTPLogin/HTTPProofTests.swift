internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct HTTPProofTests {
  private static let challenge = HTTPReply.answer(401, ["WWW-Authenticate": "Basic realm=\"a\""])

  private func proof() throws -> any SessionProof {
    let method = LoginMethod.http(
      url: try .at("https://www.example.test/basic/check"), user: "ada",
      password: Secret("rabbit"))
    return try Dialogue.outcome(of: method, Self.challenge, .answer(200)).proof
  }

  @Test(arguments: [
    ("https://www.example.test/basic/check", true),
    ("https://www.example.test/basic/deeper/page?q=1", true),
    ("https://www.example.test/basic/", true),
    ("https://www.example.test/basic", true),
    ("https://www.example.test/basics", false),
    ("https://www.example.test/other", false),
    ("https://www.example.test/basic/../other", false),
    ("https://www.example.test/basic/%2e%2e/other", false),
    ("https://www.example.test:8443/basic/check", false),
    ("http://www.example.test/basic/check", false),
    ("https://other.example.test/basic/check", false),
  ])
  func `credentials go to the protection space and nowhere else`(
    _ url: String, _ expected: Bool
  ) throws {
    let request = try proof().authorise(
      .get(try .at(url)), jar: CookieJar(), at: Dialogue.moment)
    #expect((request.field("Authorization") == "Basic YWRhOnJhYmJpdA==") == expected)
    let verdict = try proof().judge(.answer(401), to: request)
    #expect(verdict == (expected ? .authorityLost : .unaffected))
  }

  @Test
  func `credentials of the app's own do not stand beside the account's`() throws {
    var request = HTTPRequest.get(try .at("https://www.example.test/basic/"))
    request.fields = [HTTPField("authorization", "Basic bWFsbG9yeTp4")]
    let sent = try proof().authorise(request, jar: CookieJar(), at: Dialogue.moment)
    #expect(sent.fields.values(of: "Authorization") == ["Basic YWRhOnJhYmJpdA=="])
  }

  @Test(arguments: [200, 302, 403, 404, 500, 503])
  func `no other status than 401 touches the session`(_ status: Int) throws {
    let request = HTTPRequest.get(try .at("https://www.example.test/basic/check"))
    #expect(try proof().judge(.answer(status), to: request) == .unaffected)
  }

  @Test(arguments: [
    (200, "finish"), (401, "session.refused"), (403, "server.refused"), (302, "server.moved"),
    (404, "configuration.invalid"), (500, "server.unavailable"), (429, "server.unavailable"),
    (418, "server.refused"),
  ])
  func `the check URL proves the session`(_ status: Int, _ ending: String) throws {
    var dialogue = Dialogue(try proof().verification(jar: CookieJar()))
    #expect(dialogue.ending([.answer(status)]) == ending)
    #expect(dialogue.requests.first?.field("Authorization") == "Basic YWRhOnJhYmJpdA==")
  }

  @Test
  func `there is nothing to renew and nothing to end`() throws {
    let proof = try proof()
    #expect(!proof.needsRenewal(since: Dialogue.moment, at: Dialogue.moment))
    #expect(proof.renewal(jar: CookieJar()) == nil)
    #expect(proof.logOut(jar: CookieJar(), at: Dialogue.moment).isEmpty)
  }
}
