internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct LiferayOAuth1Tests {
  private static let site = "https://portal.example.test/gb"
  private static let invoke = "POST \(site)/api/jsonws/invoke"
  private static let confirmed = HTTPReply.answer(
    200, body: "oauth_token=rt-1&oauth_token_secret=rs-1&oauth_callback_confirmed=true")
  private static let granted = HTTPReply.answer(
    200, body: "oauth_token=tok12345&oauth_token_secret=as-1")
  private static let user = HTTPReply.json(
    200, "[{\"userId\":\"123456\",\"companyId\":\"10154\",\"screenName\":\"ada\"}]")
  private static let guest = HTTPReply.json(
    403, "{\"exception\":\"Access denied to a.UserService#getCurrentUser\"}")
  private static let random = [UInt8](repeating: 7, count: 64)

  private func method(
    version: LiferayPortal.Version = .v7, companyID: Int64 = 0,
    requestMethod: OAuth1Service.RequestMethod = .post
  ) throws -> LoginMethod {
    .liferay(
      LiferayPortal(server: try .at(Self.site), companyID: companyID, version: version),
      .oauth(
        consumerKey: "gb-consumer", consumerSecret: Secret("gb-secret"),
        requestMethod: requestMethod))
  }

  private func visited(_ method: LoginMethod? = nil) throws -> Dialogue {
    var dialogue = Dialogue(try method ?? self.method())
    try dialogue.play([Self.confirmed])
    try dialogue.redirect(("oauth_token", "rt-1"), ("oauth_verifier", "v~1 %2"))
    return dialogue
  }

  private func outcome() throws -> Outcome {
    var dialogue = try visited()
    try dialogue.hand(in: .reply(Self.granted))
    try dialogue.hand(in: .reply(Self.user))
    return try #require(dialogue.outcome)
  }

  // The fields were computed with another program.
  @Test
  func `every step is signed at the portal's own endpoints`() throws {
    var dialogue = try visited()
    try dialogue.hand(in: .reply(Self.granted))
    let opened = try #require(dialogue.opened)
    #expect("\(opened.page)" == "\(Self.site)/c/portal/oauth/authorize?oauth_token=rt-1")
    #expect(opened.redirect.uri == "screens://oauth_callback")
    #expect(
      dialogue.requests.map { "\($0.method) \($0.url)" } == [
        "POST \(Self.site)/c/portal/oauth/request_token",
        "POST \(Self.site)/c/portal/oauth/access_token", Self.invoke,
      ])
    #expect(
      dialogue.requests.map { $0.field("Authorization") } == [
        """
        OAuth oauth_consumer_key="gb-consumer", oauth_signature_method="HMAC-SHA1", \
        oauth_timestamp="1700000000", oauth_nonce="07070707070707070707070707070707", \
        oauth_version="1.0", oauth_callback="screens%3A%2F%2Foauth_callback", \
        oauth_signature="0b1AP1K61tm1YiOwLPn%2BvvI4jXs%3D"
        """,
        """
        OAuth oauth_consumer_key="gb-consumer", oauth_token="rt-1", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000", \
        oauth_nonce="07070707070707070707070707070707", oauth_version="1.0", \
        oauth_verifier="v~1%20%252", oauth_signature="4eWIXY4Vs5zmsqvwDlI8gTch01k%3D"
        """,
        """
        OAuth oauth_consumer_key="gb-consumer", oauth_token="tok12345", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000", \
        oauth_nonce="07070707070707070707070707070707", oauth_version="1.0", \
        oauth_signature="CFNd4kPv33PuyW0WsSPmeBSzOkI%3D"
        """,
      ])
    #expect(dialogue.requests.last?.text == "[{\"/user/get-current-user\":{}}]")
    try dialogue.hand(in: .reply(Self.user))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .identity)
    #expect(
      outcome.person
        == Person(
          family: "liferay", server: outcome.proof.origin, tenant: "10154", userID: "123456",
          loginName: ""))
  }

  private static let rows = [
    DialogueRow("granted", [granted], invoke),
    DialogueRow("proven", [granted, user], "finish"),
    DialogueRow("verifier refused", [.answer(401)], "code.refused"),
    DialogueRow("a guest", [granted, guest], "credentials.refused"),
    DialogueRow("401", [granted, .answer(401)], "credentials.refused"),
    DialogueRow("no user id", [granted, .json(200, "[{}]")], "content.unexpected"),
    DialogueRow("HTML for JSON", [granted, .page()], "content.unexpected"),
    DialogueRow("in trouble", [granted, .page(503)], "server.unavailable"),
    DialogueRow("moved", [granted, .redirect(to: "/x")], "server.moved"),
    DialogueRow("timestamp refused once", [granted, ServiceLogin.ahead], invoke),
    DialogueRow("and then taken", [granted, ServiceLogin.ahead, user], "finish"),
    DialogueRow(
      "or refused too", [granted, ServiceLogin.ahead, ServiceLogin.ahead], "server.refused"),
  ]

  @Test(arguments: rows)
  func `after the visit each answer leads where the table says`(_ row: DialogueRow) throws {
    var dialogue = try visited()
    var ending = "nothing"
    do {
      for reply in row.replies { try dialogue.hand(in: .reply(reply)) }
      ending = dialogue.requests.last.map { "\($0.method) \($0.url)" } ?? ending
      if dialogue.outcome != nil { ending = "finish" }
    } catch {
      ending = error.code.rawValue
      #expect(!error.description.contains("tok12345"))
    }
    #expect(ending == row.ending)
  }

  @Test
  func `a portal that knows only GET is asked by GET`() throws {
    var dialogue = Dialogue(try method(requestMethod: .get))
    try dialogue.play([])
    #expect(dialogue.requests.first?.method == "GET")
  }

  @Test
  func `an old portal is asked through its plug-in`() throws {
    var dialogue = try visited(method(version: .v62))
    try dialogue.hand(in: .reply(Self.granted))
    #expect(
      dialogue.requests.last?.text == "[{\"/screens-web.screensuser/get-current-user\":{}}]")
  }

  @Test
  func `a portal's setting that cannot work sends nothing`() throws {
    var dialogue = Dialogue(try method(companyID: -1))
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.requests.isEmpty)
  }

  @Test
  func `requests below the portal are signed, others on its host are not`() throws {
    let proof = try outcome().proof
    let inside = HTTPRequest("POST", try .at("\(Self.site)/api/jsonws/invoke"))
    let signed = proof.authorise(
      inside, jar: CookieJar(), at: Dialogue.moment, random: Self.random)
    #expect(
      signed.field("Authorization")
        == """
        OAuth oauth_consumer_key="gb-consumer", oauth_token="tok12345", \
        oauth_signature_method="HMAC-SHA1", oauth_timestamp="1700000000", \
        oauth_nonce="07070707070707070707070707070707", oauth_version="1.0", \
        oauth_signature="CFNd4kPv33PuyW0WsSPmeBSzOkI%3D"
        """)
    let outside = HTTPRequest.get(try .at("https://portal.example.test/other"))
    #expect(
      proof.authorise(outside, jar: CookieJar(), at: Dialogue.moment, random: Self.random)
        == outside)
  }

  @Test
  func `a refusal below the portal asks for proof`() throws {
    let proof = try outcome().proof
    let call = HTTPRequest("POST", try .at("\(Self.site)/api/jsonws/invoke"))
    for reply in [HTTPReply.answer(401), .answer(403), Self.guest] {
      #expect(proof.judge(reply, to: call) == .authorityLost)
    }
    for reply in [Self.user, .answer(400), .answer(500), .redirect(to: "/")] {
      #expect(proof.judge(reply, to: call) == .unaffected)
    }
    let signed = proof.authorise(
      call, jar: CookieJar(), at: Dialogue.moment, random: Self.random)
    guard case .corrected(let record) = proof.judge(ServiceLogin.ahead, to: signed) else {
      Issue.record("the clock was not learnt")
      return
    }
    #expect(SessionProofs.decode(method: "liferay-oauth1", record: record) != nil)
    let outside = HTTPRequest.get(try .at("https://portal.example.test/other"))
    #expect(proof.judge(.answer(401), to: outside) == .unaffected)
    #expect(proof.renewal(jar: CookieJar()) == nil)
    #expect(proof.logOut(jar: CookieJar(), at: Dialogue.moment).isEmpty)
  }

  @Test(arguments: [
    DialogueRow("alive", [user], "finish"),
    DialogueRow("revoked", [.answer(401)], "session.refused"),
    DialogueRow("a guest", [guest], "session.refused"),
    DialogueRow("in trouble", [.answer(503)], "server.unavailable"),
    DialogueRow("timestamp refused", [ServiceLogin.ahead, user], "finish"),
  ])
  func `a session is proven by the current user`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try outcome().proof.verification(jar: CookieJar()))
    #expect(dialogue.ending(row.replies) == row.ending)
  }

  @Test
  func `a waiting login is read back from nothing but its own record`() throws {
    var machine = try method().authenticator()
    for happening in [Input.Happening.start, .reply(Self.confirmed)] {
      _ = try machine.next(Input(happening, at: Dialogue.moment, random: Self.random))
    }
    let record = try #require(machine as? any RedirectAuthenticator).record
    let read = try #require(
      RedirectAuthenticators.decode(method: "liferay-oauth1", record: record))
    #expect(read.record == record)
    for name in record.names {
      var cut = record
      cut[name] = nil
      #expect(RedirectAuthenticators.decode(method: "liferay-oauth1", record: cut) == nil)
    }
  }

  @Test
  func `a proof survives the vault and a cut one does not`() throws {
    let proof = try outcome().proof
    let read = try #require(
      SessionProofs.decode(method: "liferay-oauth1", record: proof.record))
    #expect(read.record == proof.record)
    for name in proof.record.names {
      var cut = proof.record
      cut[name] = nil
      #expect(SessionProofs.decode(method: "liferay-oauth1", record: cut) == nil)
    }
  }
}
