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
  func `the app's own credentials are not sent beside the account's`() throws {
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
    #expect(!proof.needsRenewal(atAge: .zero))
    #expect(proof.renewal(jar: CookieJar()) == nil)
    #expect(proof.logOut(jar: CookieJar(), at: Dialogue.moment).isEmpty)
  }

  // MARK: Digest

  private static let digest = HTTPReply.answer(
    401, ["WWW-Authenticate": "Digest realm=\"members\", nonce=\"n1\", algorithm=SHA-256"])

  private func digestProof() throws -> HTTPProof {
    let method = LoginMethod.http(
      url: try .at("https://www.example.test/basic/check"), user: "ada",
      password: Secret("rabbit"))
    let proof = try Dialogue.outcome(of: method, Self.digest, .answer(200)).proof
    return try #require(proof as? HTTPProof)
  }

  @Test
  func `what a Digest session keeps logs in nowhere else`() throws {
    let record = try digestProof().record
    #expect(record.names == ["keys", "realm", "url", "user"])
    let keys = try #require(record["keys"]?.list)
    #expect(keys.compactMap { $0.object?["realm"]?.text } == ["members", "members"])
    #expect(
      keys.compactMap { $0.object?["algorithm"]?.text } == ["SHA-256", "SHA-512-256"])
  }

  @Test
  func `a Digest session sends nothing unasked`() throws {
    let url = try HTTPURL.at("https://www.example.test/basic/check")
    let request = try digestProof().authorise(.get(url), jar: CookieJar(), at: Dialogue.moment)
    #expect(request.field("Authorization") == nil)
    #expect(try digestProof().judge(.answer(401), to: request) == .authorityLost)
    #expect(try digestProof().judge(.answer(403), to: request) == .unaffected)
    let other = HTTPRequest.get(try .at("https://other.example.test/"))
    #expect(try digestProof().judge(.answer(401), to: other) == .unaffected)
  }

  @Test
  func `a Digest session continues after a restart`() throws {
    let record = try #require(Facts(decoding: digestProof().record.encoded))
    let proof = try #require(HTTPProof(record: record))
    var server = DigestServer()
    var client = try AuthorizedClient()
    client.authorizer = proof.authorizer
    for path in ["/a", "/b"] {
      #expect(try client.send(path) { server.reply(to: $0) } == "final 200")
    }
    #expect(client.answers == ["-", "n1 00000001", "n1 00000002"])
  }

  private static let rows = [
    DialogueRow("lives", [digest, .answer(200)], "finish"),
    DialogueRow("refused", [digest, digest], "session.refused"),
    DialogueRow("refused without a challenge", [digest, .answer(401)], "session.refused"),
    DialogueRow("forbidden", [digest, .answer(403)], "server.refused"),
    DialogueRow("anybody may read it now", [.answer(200)], "login.unprovable"),
    DialogueRow(
      "Basic now", [.answer(401, ["WWW-Authenticate": "Basic realm=\"members\""])],
      "challenge.unhandled"),
    DialogueRow(
      "MD5 now",
      [.answer(401, ["WWW-Authenticate": "Digest realm=\"members\", nonce=\"n\""])],
      "challenge.unhandled"),
    DialogueRow(
      "another realm now",
      [
        .answer(
          401, ["WWW-Authenticate": "Digest realm=\"x\", nonce=\"n\", algorithm=SHA-256"])
      ],
      "challenge.unhandled"),
    DialogueRow(
      "wrong proof", [digest, .answer(200, ["Authentication-Info": "rspauth=\"0\""])],
      "identity.mismatch"),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
    DialogueRow("in trouble with the answer", [digest, .answer(503)], "server.unavailable"),
    DialogueRow("moved", [.redirect(to: "/new")], "server.moved"),
  ]

  @Test(arguments: rows)
  func `the check URL proves a Digest session`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try digestProof().verification(jar: CookieJar()))
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test
  func `a proof leaves the session as it was`() throws {
    let proof = try digestProof()
    var jar = CookieJar()
    try jar.take("a=b", from: "https://www.example.test/basic/check", at: Dialogue.moment.wall)
    var dialogue = Dialogue(proof.verification(jar: jar))
    try dialogue.play([Self.digest, .answer(200, ["Set-Cookie": "c=d"])])
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.proof.record == proof.record)
    #expect(dialogue.requests.map { $0.field("Cookie") } == ["a=b", "a=b"])
    let url = try HTTPURL.at("https://www.example.test/basic/check")
    #expect(outcome.jar.header(for: url, at: Dialogue.moment.wall) == "a=b; c=d")
  }
}
