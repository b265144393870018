internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct OAuth1ProofTests {
  private typealias Login = ServiceLogin

  private static let random = [UInt8](repeating: 7, count: 64)

  // The field was computed with another program.
  @Test
  func `each request is self-signed`() throws {
    let proof = try Login.outcome().proof
    let request = HTTPRequest.get(try .at("\(Login.site)/photos?q=a+b"))
    let signed = proof.authorise(
      request, jar: CookieJar(), at: Dialogue.moment, random: Self.random)
    #expect(
      signed.field("Authorization")
        == """
        OAuth realm="R", oauth_consumer_key="app", oauth_token="tok12345", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000", \
        oauth_nonce="07070707070707070707070707070707", oauth_version="1.0", \
        oauth_signature="1UsXK224LLDQ9%2B8UeRoCd6ceEuw%3D"
        """)
    let other = proof.authorise(
      request, jar: CookieJar(), at: Dialogue.moment, random: [UInt8](repeating: 8, count: 64))
    #expect(other.field("Authorization")?.contains("oauth_nonce=\"0808") == true)
    #expect(other.field("Authorization") != signed.field("Authorization"))
  }

  @Test
  func `defect 12: a 401 in a session asks for proof, nothing else does`() throws {
    let proof = try Login.outcome().proof
    let request = HTTPRequest.get(try .at("\(Login.site)/photos"))
    for status in [200, 302, 400, 403, 404, 500] {
      #expect(proof.judge(.answer(status), to: request) == .unaffected)
    }
    #expect(proof.judge(Login.revoked, to: request) == .authorityLost)
    let foreign = HTTPRequest.get(try .at("https://other.example.test/"))
    #expect(proof.judge(Login.revoked, to: foreign) == .unaffected)
    #expect(proof.renewal(jar: CookieJar()) == nil)
    #expect(proof.logOut(jar: CookieJar(), at: Dialogue.moment).isEmpty)
    #expect(!proof.needsRenewal(atAge: .zero))
  }

  @Test(arguments: [
    ("timestamp_refused", false), ("nonce_used", false), ("consumer_key_unknown", false),
    ("consumer_key_rejected", false), ("parameter_absent", false), ("token_revoked", true),
    ("token_expired", true), ("signature_invalid", true), ("of a newer server", true),
  ])
  func `what is wrong with a request ends no session`(_ code: String, _ endsIt: Bool) throws {
    let proof = try Login.outcome().proof
    let request = HTTPRequest.get(try .at("\(Login.site)/photos"))
    let reply = HTTPReply.answer(401, ["WWW-Authenticate": "OAuth oauth_problem=\"\(code)\""])
    #expect(proof.judge(reply, to: request) == (endsIt ? .authorityLost : .unaffected))
    var check = Dialogue(proof.verification(jar: CookieJar()))
    #expect(check.ending([reply]) == (endsIt ? "session.refused" : "server.refused"))
  }

  private func signed(
    _ proof: any SessionProof, at moment: Moment = Dialogue.moment
  ) throws -> HTTPRequest {
    proof.authorise(
      .get(try .at("\(Login.site)/me")), jar: CookieJar(), at: moment, random: Self.random)
  }

  @Test
  func `a refused timestamp corrects the proof once`() throws {
    let proof = try Login.outcome().proof
    let request = try signed(proof)
    #expect(proof.judge(.answer(400), to: request) == .unaffected)
    #expect(proof.judge(Login.revoked, to: request) == .authorityLost)
    guard case .corrected(let record) = proof.judge(Login.ahead, to: request) else {
      Issue.record("the clock was not learnt")
      return
    }
    let corrected = try #require(SessionProofs.decode(method: "oauth1", record: record))
    let again = try signed(corrected)
    #expect(
      again.field("Authorization")
        == """
        OAuth realm="R", oauth_consumer_key="app", oauth_token="tok12345", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000600", \
        oauth_nonce="07070707070707070707070707070707", oauth_version="1.0", \
        oauth_signature="f%2FFALYwfh167us1DEBpTTuuqSoU%3D"
        """)
    #expect(corrected.judge(Login.ahead, to: again) == .unaffected)
  }

  @Test
  func `a clock is learnt from when the request was signed, not from when it was answered`() throws
  {
    let proof = try Login.outcome().proof
    let early = Moment(wall: Dialogue.moment.wall + .seconds(570), boot: Dialogue.moment.boot)
    let late = Moment(wall: Dialogue.moment.wall + .seconds(571), boot: Dialogue.moment.boot)
    let bare = HTTPReply.answer(400, ["Date": "Tue, 14 Nov 2023 22:23:20 GMT"])
    #expect(proof.judge(bare, to: try signed(proof, at: early)) != .unaffected)
    #expect(proof.judge(bare, to: try signed(proof, at: late)) == .unaffected)
  }

  @Test
  func `an answer to a request that was not signed teaches no clock`() throws {
    let proof = try Login.outcome().proof
    let url = try HTTPURL.at("\(Login.site)/me")
    for field in ["Basic eA==", "OAuth a=\"b\"", "OAuth a=\"b\", oauth_timestamp=\"x\""] {
      let request = HTTPRequest("GET", url, fields: [HTTPField("Authorization", field)])
      #expect(proof.judge(Login.ahead, to: request) == .unaffected)
    }
    #expect(proof.judge(Login.ahead, to: .get(url)) == .unaffected)
  }

  private static let rows = [
    DialogueRow("start", [], "GET \(Login.site)/me"),
    DialogueRow("alive", [.answer(200)], "finish"),
    DialogueRow("revoked", [Login.revoked], "session.refused"),
    DialogueRow("forbidden", [.answer(403)], "server.refused"),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
    DialogueRow("timestamp refused once", [Login.ahead], "GET \(Login.site)/me"),
    DialogueRow("and then taken", [Login.ahead, .answer(200)], "finish"),
    DialogueRow("and then refused", [Login.ahead, Login.revoked], "session.refused"),
    DialogueRow("refused twice", [Login.ahead, Login.ahead], "server.refused"),
  ]

  @Test(arguments: rows)
  func `a session is proven by the check URL`(_ row: DialogueRow) throws {
    let proof = try Login.outcome().proof
    var dialogue = Dialogue(proof.verification(jar: CookieJar()))
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test
  func `a proof learns the clock and keeps it`() throws {
    let proof = try Login.outcome().proof
    var dialogue = Dialogue(proof.verification(jar: CookieJar()))
    try dialogue.play([Login.ahead, .answer(200)])
    let outcome = try #require(dialogue.outcome)
    let field = try signed(outcome.proof).field("Authorization")
    #expect(field?.contains("oauth_timestamp=\"1700000600\"") == true)
  }

  @Test
  func `every way to sign survives the vault`() throws {
    let consumers = [
      OAuth1Consumer(key: "k", secret: Secret("s"), method: .hmacSHA1),
      OAuth1Consumer(key: "k", secret: Secret("s"), method: .hmacSHA256),
      OAuth1Consumer(key: "k", secret: Secret("s"), method: .plaintext),
      try OAuth1Consumer(key: "k", privateKey: Secret(OAuth1SignatureTests.privateKey)),
    ]
    for consumer in consumers {
      let method = LoginMethod.oauth1(
        try Login.service(), consumer: consumer, checkURL: try .at("\(Login.site)/me"),
        user: "ada", callback: "oob")
      let proof = try Login.outcome(method).proof
      let record = try #require(Facts(decoding: proof.record.encoded))
      let read = try #require(SessionProofs.decode(method: "oauth1", record: record))
      let request = HTTPRequest.get(try .at("\(Login.site)/me"))
      let signed = read.authorise(
        request, jar: CookieJar(), at: Dialogue.moment, random: Self.random)
      #expect(
        signed
          == proof.authorise(request, jar: CookieJar(), at: Dialogue.moment, random: Self.random))
      #expect(signed.field("Authorization") != nil)
    }
  }
}
