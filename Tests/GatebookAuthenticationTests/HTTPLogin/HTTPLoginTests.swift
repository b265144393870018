internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct HTTPLoginTests {
  private static let challenge = HTTPReply.answer(
    401, ["WWW-Authenticate": "Basic realm=\"basic area\""])
  private static let digest = HTTPReply.answer(
    401, ["WWW-Authenticate": "Digest realm=\"members\", nonce=\"n1\", qop=\"auth\""])
  private static let stronger = HTTPReply.answer(
    401, ["WWW-Authenticate": "Digest realm=\"basic area\", nonce=\"n1\", qop=\"auth\""])
  private static let stale = HTTPReply.answer(
    401, ["WWW-Authenticate": "Digest realm=\"members\", nonce=\"n2\", qop=auth, stale=true"])
  private static let sameURL = "GET https://www.example.test/basic/check"

  private static func impostor(_ status: Int) -> HTTPReply {
    .answer(status, ["Authentication-Info": "rspauth=\"\(String(repeating: "0", count: 32))\""])
  }

  private func method(
    user: String = "ada", password: Secret = Secret("rabbit")
  ) throws
    -> LoginMethod
  {
    .http(url: try .at("https://www.example.test/basic/check"), user: user, password: password)
  }

  private static let rows = [
    DialogueRow("start", [], sameURL),
    DialogueRow("Basic offered", [challenge], sameURL),
    DialogueRow("accepted", [challenge, .answer(200)], "finish"),
    DialogueRow("accepted without a body", [challenge, .answer(204)], "finish"),
    DialogueRow("wrong password", [challenge, challenge], "credentials.refused"),
    DialogueRow("forbidden with credentials", [challenge, .answer(403)], "credentials.refused"),
    DialogueRow("anybody may read it", [.answer(200)], "login.unprovable"),
    DialogueRow("forbidden to all", [.answer(403)], "server.refused"),
    DialogueRow("login page", [.redirect(to: "/login")], "server.moved"),
    DialogueRow("moved for good", [.redirect(to: "/new", status: 308)], "server.moved"),
    DialogueRow("not there", [.answer(404)], "configuration.invalid"),
    DialogueRow("no GET", [.answer(405)], "configuration.invalid"),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
    DialogueRow("too many", [.answer(429)], "server.unavailable"),
    DialogueRow("proxy", [.answer(407)], "server.refused"),
    DialogueRow("no scheme", [.answer(401)], "challenge.unhandled"),
    DialogueRow(
      "an unknown Digest alone",
      [
        .answer(
          401, ["WWW-Authenticate": "Digest realm=\"a\", nonce=\"b\", algorithm=SHA-1024"])
      ],
      "challenge.unhandled"),
    DialogueRow("Digest offered", [digest], sameURL),
    DialogueRow("accepted by Digest", [digest, .answer(200)], "finish"),
    DialogueRow("wrong password by Digest", [digest, digest], "credentials.refused"),
    DialogueRow("refused without a challenge", [digest, .answer(401)], "credentials.refused"),
    DialogueRow("forbidden by Digest", [digest, .answer(403)], "credentials.refused"),
    DialogueRow("nonce too old", [digest, stale], sameURL),
    DialogueRow("accepted after a new nonce", [digest, stale, .answer(200)], "finish"),
    DialogueRow("refused after a new nonce", [digest, stale, digest], "credentials.refused"),
    DialogueRow(
      "every nonce too old", [digest] + Array(repeating: stale, count: 5), "server.refused"),
    DialogueRow("from Digest to Basic", [digest, challenge], "challenge.unhandled"),
    DialogueRow("from Basic to Digest", [challenge, stronger], sameURL),
    DialogueRow(
      "from Basic to Digest, refused", [challenge, stronger, stronger], "credentials.refused"),
    DialogueRow(
      "another realm", [digest, .answer(401, ["WWW-Authenticate": "Basic realm=\"x\""])],
      "challenge.unhandled"),
    DialogueRow("wrong proof", [digest, impostor(200)], "identity.mismatch"),
    DialogueRow("wrong proof with a refusal", [digest, impostor(403)], "identity.mismatch"),
    DialogueRow("wrong proof in trouble", [digest, impostor(503)], "identity.mismatch"),
    DialogueRow("trouble after Digest", [digest, .answer(503)], "server.unavailable"),
    DialogueRow(
      "redirect after Digest", [digest, .redirect(to: "https://evil.example/")], "server.moved"),
    DialogueRow(
      "unknown schemes before Basic",
      [
        .answer(
          401,
          [
            "WWW-Authenticate": "Negotiate",
            "www-authenticate": "Newauth realm=\"apps\", type=1, Basic realm=\"simple\"",
          ])
      ], sameURL),
    DialogueRow("trouble after the password", [challenge, .answer(500)], "server.unavailable"),
    DialogueRow(
      "redirect after the password", [challenge, .redirect(to: "https://evil.example/")],
      "server.moved"),
    DialogueRow("gone after the password", [challenge, .answer(410)], "configuration.invalid"),
    DialogueRow("teapot after the password", [challenge, .answer(418)], "server.refused"),
  ]

  @Test(arguments: rows)
  func `every answer of a server has one meaning`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try method())
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test
  func `the password goes once, after the server has asked`() throws {
    var dialogue = Dialogue(try method())
    try dialogue.play([Self.challenge, .answer(200)])
    #expect(dialogue.requests.map { $0.field("Authorization") } == [nil, "Basic YWRhOnJhYmJpdA=="])
    #expect(dialogue.requests.map(\.isRepeatable) == [true, false])
  }

  @Test
  func `a login by Digest never sends the password`() throws {
    var server = DigestServer()
    var dialogue = Dialogue(try method())
    try dialogue.play([])
    for _ in 0..<2 {
      let request = try #require(dialogue.requests.last)
      try dialogue.hand(in: .reply(server.reply(to: request)))
    }
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .check)
    #expect(outcome.person == (try method()).person)
    #expect(dialogue.requests.map(\.isRepeatable) == [true, false])
    let sent = dialogue.requests.flatMap(\.fields).map(\.value)
    #expect(!sent.contains { $0.hasPrefix("Basic") || $0.contains("rabbit") })
    #expect(!String(decoding: outcome.proof.record.encoded, as: UTF8.self).contains("rabbit"))
  }

  @Test
  func `the strongest scheme on offer is used`() throws {
    var dialogue = Dialogue(try method())
    try dialogue.play([
      .answer(
        401,
        [
          "WWW-Authenticate": "Basic realm=\"members\"",
          "www-authenticate": "Digest realm=\"members\", nonce=\"n\", qop=\"auth\"",
        ])
    ])
    #expect(dialogue.requests.last?.field("Authorization")?.hasPrefix("Digest ") == true)
  }

  @Test
  func `the outcome names the typed user and the check as evidence`() throws {
    let outcome = try Dialogue.outcome(of: method(), Self.challenge, .answer(200))
    #expect(outcome.person == (try method()).person)
    #expect(outcome.evidence == .check)
    #expect(outcome.attributes.names.isEmpty)
  }

  @Test
  func `a scheme that nobody answers is named`() throws {
    let failure = try Dialogue.failure(
      of: method(), .answer(401, ["WWW-Authenticate": "Digest realm=\"a\", Negotiate"]))
    #expect(failure.cause == "offered: digest, negotiate")
  }

  private static let weaker = [
    "Basic realm=\"members\"", "Basic realm=\"other\"", "Negotiate, Basic realm=\"x\"",
  ]

  @Test(arguments: weaker)
  func `a login by Digest says that it is never weakened`(_ challenges: String) throws {
    let basic = HTTPReply.answer(401, ["WWW-Authenticate": challenges])
    let failure = try Dialogue.failure(of: method(), Self.digest, basic)
    #expect(failure.code == .challengeUnhandled)
    #expect(failure.message.contains("asks for Basic, but"), "\(failure)")
    #expect(failure.message.contains("the login used Digest (MD5)."), "\(failure)")
    #expect(failure.kept == "No password was sent.")
    #expect(failure.fault == "scheme.weaker")
    // A first login at such a place is one by Basic.
    let other = try Dialogue.failure(of: method(), basic, basic)
    #expect(other.code == .credentialsRefused)
  }

  @Test(arguments: weaker)
  func `so does the session that came of it`(_ challenges: String) throws {
    let proof = try #require(
      try Dialogue.outcome(of: method(), Self.digest, .answer(200)).proof as? HTTPProof)
    let basic = HTTPReply.answer(401, ["WWW-Authenticate": challenges])
    #expect(proof.withheld(in: basic)?.message.contains("never weakened") == true)
    var dialogue = Dialogue(proof.verification(jar: CookieJar()))
    #expect(dialogue.ending([basic]) == "challenge.unhandled")
    #expect(proof.withheld(in: Self.digest) == nil)
    #expect(proof.withheld(in: .answer(403, ["WWW-Authenticate": challenges])) == nil)
    #expect(proof.withheld(in: .answer(401)) == nil)
    // A session by Basic is not weakened by Basic; a realm that did not ask gets no password.
    let plain = try Dialogue.outcome(of: method(), Self.challenge, .answer(200)).proof as? HTTPProof
    #expect(try #require(plain).withheld(in: basic)?.message.contains("another realm") == true)
    #expect(try #require(plain).withheld(in: Self.challenge) == nil)
  }

  @Test(arguments: ["", "a:b", "a\nb"])
  func `a user that cannot be sent is refused before anything is sent`(_ user: String) throws {
    var dialogue = Dialogue(try method(user: user))
    #expect(dialogue.ending([]) == "configuration.invalid")
  }

  @Test
  func `an empty password is refused before anything is sent`() throws {
    var dialogue = Dialogue(try method(password: Secret("")))
    #expect(dialogue.ending([]) == "configuration.invalid")
  }

  @Test
  func `a machine that has ended takes no more answers`() throws {
    var dialogue = Dialogue(try method())
    #expect(
      dialogue.ending([Self.challenge, .answer(200), .answer(200)]) == "precondition.failed")
  }
}
