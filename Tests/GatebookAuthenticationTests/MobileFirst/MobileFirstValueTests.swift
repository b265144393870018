internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

@Suite struct MobileFirstValueTests {
  @Test(
    arguments: [
      ("b  a", "a b"), ("a b", "a b"), ("\t a\na\r\n", "a"), ("", ""), ("B a", "B a"),
      (nil, ""), ("é a e", "a e é"),
    ] as [(String?, String)])
  func `equal scopes are one, however they are written`(text: String?, normal: String) {
    #expect(AuthorizationScope(text).description == normal)
  }

  @Test(
    arguments: [
      nil, .null, .object([:]), .object(["errorMsg": .null]), .object(["errorMsg": 7]), .list([]),
      .text("x"), .object(["remainingAttempts": "many"]),
    ] as [FactValue?])
  func `never again: forced unwrap of errorMsg`(payload: FactValue?) {
    let challenge = SecurityCheckChallenge(
      flow: PipelineRun.flow, check: "A", round: 1, payload: payload)
    #expect(challenge.errorMessage == "")
    #expect(challenge.remainingAttempts == nil)
    let failure = SecurityCheckFailure(flow: PipelineRun.flow, check: "A", payload: payload)
    #expect(failure.reason == "Unknown error")
    let success = SecurityCheckSuccess(
      flow: PipelineRun.flow, check: "A", wasRemembered: false, payload: payload)
    #expect(success.user == nil)
  }

  @Test func `a user becomes attributes by the protocol's names`() throws {
    let user = try #require(
      AuthenticatedUser(
        .object([
          "attributes": .object(["id": "other", "roles": .list(["a", "b"]), "tier": 3]),
          "authenticatedAt": 1_455_803_338_008, "authenticatedBy": "UserLogin",
          "displayName": "John Doe", "id": "john",
        ])))
    #expect(user.authenticatedAt == Timestamp(rawValue: 1_455_803_338_008_000))
    #expect(
      user.userAttributes.facts == [
        "attributes.id": "other", "authenticatedAt": 1_455_803_338_008,
        "authenticatedBy": "UserLogin", "displayName": "John Doe", "id": "john",
        "roles": #"["a","b"]"#, "tier": 3,
      ])
    #expect(AuthenticatedUser(.object(["displayName": "x"])) == nil)
    #expect(AuthenticatedUser(.object(["id": 7]))?.displayName == "7")
  }

  private static func token(_ lifetime: Duration = .seconds(60)) -> AccessToken {
    AccessToken(
      scope: AuthorizationScope("a"), grantedScope: "a", value: Secret("tok12345"),
      sent: Dialogue.moment, lifetime: lifetime, flow: PipelineRun.flow)
  }

  @Test(
    arguments: [
      (59, 59, true), (60, 60, false), (10, 60, false), (60, 10, false), (-30, 59, true),
      (30, -4000, true), (61, -4000, false),
    ])
  func `a token ends by the clock that is first; another boot counts the wall clock`(
    wall: Int, boot: Int, isLive: Bool
  ) {
    let now = Moment(
      wall: Dialogue.moment.wall + .seconds(wall), boot: Dialogue.moment.boot + .seconds(boot))
    #expect(Self.token().isLive(at: now) == isLive)
  }

  @Test func `a session's proof survives the vault with its client and its tokens`() throws {
    var proof = MobileFirstProof(
      registration: try PipelineRun.registration(), check: "UserLogin", userID: "john")
    proof.keep(Self.token(), at: Dialogue.moment)
    let bytes = proof.record.encoded
    let read = try #require(
      Facts(decoding: bytes).flatMap {
        SessionProofs.decode(method: "mobilefirst", record: $0) as? MobileFirstProof
      })
    #expect(read.record == proof.record)
    #expect(read.token(for: AuthorizationScope(" a"), at: Dialogue.moment) == Self.token())
    #expect(read.registration.thumbprint == PipelineRun.key.publicKey.thumbprint)
    for name in ["check", "registration", "tokens", "user"] {
      var record = proof.record
      record[name] = nil
      #expect(MobileFirstProof(record: record) == nil)
    }
  }

  @Test func `no text shows an answer, a token or a key`() throws {
    let answer = ChallengeAnswer(username: "john", password: Secret("rabbit"), rememberMe: true)
    #expect(answer.fieldNames == ["password", "rememberMe", "username"])
    #expect(answer.redacting("wrong: rabbit") == "wrong: …")
    var proof = MobileFirstProof(
      registration: try PipelineRun.registration(), check: "UserLogin", userID: "john")
    proof.keep(Self.token(), at: Dialogue.moment)
    let key = PipelineRun.key.pkcs8.withBytes { Base64.encode($0) }
    for value in [answer, Self.token(), proof] as [Any] {
      for text in [String(describing: value), String(reflecting: value)] {
        #expect(!text.contains("rabbit"))
        #expect(!text.contains("tok12345"))
        #expect(!text.contains(key))
      }
    }
    #expect(Self.token().asAuthorizationRequestHeader == Secret("Bearer tok12345"))
    #expect(Self.token().asFormEncodedBodyParameter == Secret("access_token=tok12345"))
  }

  @Test func `a session is proven by its check; an open challenge ends nothing`() throws {
    let proof = MobileFirstProof(
      registration: try PipelineRun.registration(), check: "UserLogin", userID: "john")
    let rows: [(HTTPReply, String)] = [
      (.passed, "finish"), (.challenged, "challenge.unhandled"), (.page(503), "server.unavailable"),
      (.json(403, #"{"failures":{"UserLogin":{}}}"#), "challenge.blocked"),
      (.unknownClient, "server.refused"), (.json(200, #"{"successes":{}}"#), "login.unprovable"),
    ]
    for (reply, ending) in rows {
      var dialogue = Dialogue(proof.verification(jar: CookieJar()))
      #expect(dialogue.ending([reply]) == ending)
    }
  }

  @Test func `a logout is a signed request, and done by 2xx alone`() throws {
    let proof = MobileFirstProof(
      registration: try PipelineRun.registration(), check: "UserLogin", userID: "john")
    let request = try #require(proof.logOut(jar: CookieJar(), at: Dialogue.moment).first)
    #expect(request.url.path == "/mfp/api/preauth/v1/logout")
    let form = try #require(FormFields(decoding: request.body))
    #expect(form["security_check"] == "UserLogin")
    let claims = try #require(form["client_assertion"]).split(separator: ".")
    let content = try #require(Base64URL.decode(claims[1]).flatMap { Facts(decoding: $0) })
    #expect(content["jti"] == .null)
    #expect(content["aud"] == .null)
    #expect(proof.hasEnded(.json(200, "{}")))
    #expect(!proof.hasEnded(.unknownClient))
  }
}
