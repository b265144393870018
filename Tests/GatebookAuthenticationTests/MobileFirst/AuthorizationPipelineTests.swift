internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

@Suite struct AuthorizationPipelineTests {
  private static let answer = ChallengeAnswer([
    "password": "rabbit", "rememberMe": true, "username": "john",
  ])

  @Test func `the transcript is spoken word for word`() throws {
    var run = try PipelineRun(registered: false)
    try run.play([.registered, .challenged])
    #expect(run.rounds.last?.challenges.first?.remainingAttempts == 3)
    try run.hand(.answers(["UserLogin": Self.answer]))
    for reply in [HTTPReply.passed, .coded, .granted] { try run.hand(.reply(reply)) }
    #expect(
      run.requests.map { "\($0.method) \($0.url)" } == [
        "POST \(PipelineRun.home)/api/registration/v1/self",
        "POST \(PipelineRun.home)/api/preauth/v1/preauthorize",
        "POST \(PipelineRun.home)/api/preauth/v1/preauthorize",
        "GET \(PipelineRun.home)/api/az/v1/authorization?response_type=code&client_id=client-1"
          + "&scope=UserLogin&redirect_uri=https%3A%2F%2Fmfpredirecturi",
        "POST \(PipelineRun.home)/api/az/v1/token",
      ])
    #expect(
      run.requests[1].text
        == #"{"challengeResponse":{},"client_id":"client-1","scope":"UserLogin"}"#)
    #expect(
      run.requests[2].text == #"{"challengeResponse":{"UserLogin":{"password":"rabbit","#
        + #""rememberMe":true,"username":"john"}},"client_id":"client-1","scope":"UserLogin"}"#)
    #expect(run.requests[2].field("Content-Type") == "application/json")
    #expect(!run.requests[2].isRepeatable)
    #expect(run.requests[4].text.contains("&code=code-1&grant_type=authorization_code&redirect"))
    #expect(run.told == ["registered client-1"])
    let token = try #require(run.token)
    #expect(token.value == Secret("tok12345"))
    #expect(token.expiresAt == run.now.wall + .seconds(60))
    #expect(token.flow == PipelineRun.flow)
    #expect(run.rounds.last?.successes.first?.user?.id == "john")
    #expect(run.rounds.last?.successes.first?.wasRemembered == false)
  }

  @Test func `the registration is one signed object that its own key verifies`() throws {
    var run = try PipelineRun(registered: false)
    try run.play([])
    let body = try #require(JSONDocument.read(run.requests[0].body)?.object)
    let parts = try #require(body["signedRegistrationData"]?.object)
    #expect(parts.names == ["header", "payload", "signature"])
    let texts = try parts.names.map { try #require(parts[$0]?.text) }
    let signature = try #require(Base64URL.decode(texts[2]))
    #expect(
      PipelineRun.key.publicKey.verify(
        signature, of: Array("\(texts[0]).\(texts[1])".utf8), with: .sha256))
    let payload = try #require(Base64URL.decode(texts[1]).flatMap { Facts(decoding: $0) })
    #expect(payload["application"]?.object?["clientPlatform"] == "ios")
    #expect(payload["attributes"]?.object?["sdk_protocol_version"] == 1)
    #expect(payload["device"]?.object?.names == ["hardware", "id", "platform"])
  }

  @Test func `an assertion counts milliseconds by the server's clock`() throws {
    var run = try PipelineRun()
    try run.play([.passed, .coded])
    let form = try #require(FormFields(decoding: run.requests[2].body))
    let parts = try #require(form["client_assertion"]).split(separator: ".").map(String.init)
    let header = try #require(Base64URL.decode(parts[0]).flatMap { Facts(decoding: $0) })
    #expect(header["jwk"]?.object?["kid"] == "client-1")
    let claims = try #require(Base64URL.decode(parts[1]).flatMap { Facts(decoding: $0) })
    #expect(
      claims == [
        "aud": "az/v1/token", "exp": 1_700_000_060_500, "iat": 1_700_000_000_500,
        "iss": "com.example.app$ios$1.0", "jti": "code-1", "sub": "client-1",
      ])
    let signature = try #require(Base64URL.decode(parts[2]))
    #expect(
      PipelineRun.key.publicKey.verify(
        signature, of: Array("\(parts[0]).\(parts[1])".utf8), with: .sha256))
  }

  private static let endings: [(String, [HTTPReply])] = [
    ("challenged", [.challenged]),
    ("finish", [.passed, .coded, .granted]),
    ("finish", [.passed, .json(200, #"{"code":"code-1"}"#), .granted]),
    ("scope.missing", [.passed, .redirect(to: "https://mfpredirecturi?error=access_denied")]),
    ("scope.missing", [.passed, .json(200, #"{"error":"access_denied"}"#)]),
    ("server.moved", [.passed, .redirect(to: "https://evil.example.test?code=code-1")]),
    ("server.refused", [.passed, .json(400, #"{"error":"invalid_request"}"#)]),
    ("code.refused", [.passed, .coded, .json(400, #"{"error":"invalid_grant"}"#)]),
    ("server.refused", [.passed, .coded, .json(401, #"{"error":"invalid_client"}"#)]),
    ("content.unexpected", [.passed, .coded, .json(200, #"{"access_token":""}"#)]),
    ("content.unexpected", [.passed, .coded, .page()]),
    (
      "challenge.blocked",
      [.json(403, #"{"failures":{"UserLogin":{"failure":"Account blocked"}}}"#)]
    ),
    ("challenge.blocked", [.json(222, #"{"failures":{"UserLogin":null}}"#)]),
    ("GET /mfp/api/az/v1/authorization", [.json(222, #"{"successes":{}}"#)]),
    ("server.refused", [.page(403)]),
    ("server.refused", [.page(401)]),
    ("content.unexpected", [.page()]),
    (
      "content.unexpected",
      [.answer(401, ["WWW-Authenticate": "MFP-Challenge"], body: "<html></html>")]
    ),
    ("server.unavailable", [.page(503)]),
    ("configuration.invalid", [.page(404)]),
    ("server.moved", [.redirect(to: "https://mfp.example.test/login")]),
    ("server.refused", [.page(409)]),
    ("configuration.invalid", [.json(400, #"{"errorCode":"INVALID_SCOPE"}"#)]),
    (
      "configuration.invalid",
      [.passed, .redirect(to: "https://mfpredirecturi?error=invalid_scope")]
    ),
    ("configuration.invalid", [.passed, .json(400, #"{"error":"invalid_scope"}"#)]),
    ("configuration.invalid", [.passed, .coded, .json(400, #"{"error":"invalid_scope"}"#)]),
  ]

  @Test(arguments: 0..<endings.count)
  func `each answer leads where the table says`(index: Int) throws {
    var run = try PipelineRun()
    let (ending, replies) = Self.endings[index]
    #expect(run.ending(replies) == ending)
  }

  @Test func `an unknown client is registered again once, never twice`() throws {
    var run = try PipelineRun()
    try run.play([.unknownClient])
    #expect(run.told == ["rejected client-1"])
    #expect(run.requests.last?.url.path == "/mfp/api/registration/v1/self")
    try run.hand(.reply(.registered))
    #expect(run.requests.last?.url.path == "/mfp/api/preauth/v1/preauthorize")
    let error = #expect(throws: GatebookError.self) { try run.hand(.reply(.unknownClient)) }
    #expect(error?.code == .serverRefused)
    #expect(error?.serverCode == "invalid_client_id")
  }

  @Test func `a client that another process registered is taken, and not registered again`() throws
  {
    var run = try PipelineRun()
    try run.play([])
    guard case .rejected = try run.machine.next(.reply(.unknownClient), at: run.now) else {
      Issue.record("the client was not rejected")
      return
    }
    try run.hand(.registration(PipelineRun.registration("client-2")))
    #expect(run.requests.last?.text.contains("client-2") == true)
    let error = #expect(throws: GatebookError.self) { try run.hand(.reply(.unknownClient)) }
    #expect(error?.code == .serverRefused)
  }

  @Test(arguments: [200, 400, 503])
  func `never again: recovery from refused update of the registration missing`(status: Int) throws {
    var app = try PipelineRun.app()
    app.version = "2.0"
    var run = try PipelineRun(app: app)
    try run.play([])
    #expect(run.requests[0].method == "PUT")
    #expect(run.requests[0].url.path == "/mfp/api/registration/v1/self/client-1")
    let reply =
      status == 400 ? HTTPReply.unknownClient : .json(status, "{}")
    do throws(GatebookError) {
      try run.hand(.reply(reply))
      #expect(status != 503)
      let isAnew = run.requests.last?.url.path == "/mfp/api/registration/v1/self"
      #expect(isAnew == (status == 400))
      #expect(run.machine.registration?.app.version == (isAnew ? "1.0" : "2.0"))
    } catch {
      #expect(status == 503)
      #expect(error.code == .serverUnavailable)
      #expect(run.machine.registration?.clientID == "client-1")
    }
  }

  @Test func `a conflict is answered by the same request, seven times at most`() throws {
    var run = try PipelineRun()
    #expect(
      run.ending(Array(repeating: .conflict, count: 7)) == "POST /mfp/api/preauth/v1/preauthorize")
    #expect(Set(run.requests.map(\.text)).count == 1)
    #expect(run.requests.count == 8)
    #expect(throws: GatebookError.self) { try run.hand(.reply(.conflict)) }
    #expect(run.requests.count == 8)
  }

  @Test func `never again: password sent again in later rounds of a step-up`() throws {
    var run = try PipelineRun()
    try run.play([.challenged])
    try run.hand(.answers(["UserLogin": Self.answer]))
    try run.hand(
      .reply(
        .answer(
          401, ["WWW-Authenticate": "MFP-Challenge"],
          body: #"{"challenges":{"PinCode":null},"successes":{"UserLogin":{}}}"#)))
    let round = try #require(run.rounds.last)
    #expect(round.successes.map(\.check) == ["UserLogin"])
    #expect(round.challenges.map(\.errorMessage) == [""])
    #expect(round.challenges.first?.remainingAttempts == nil)
    try run.hand(.answers(["PinCode": ChallengeAnswer(pin: Secret("1234"))]))
    #expect(run.requests.last?.text.contains("rabbit") == false)
    #expect(
      run.requests.last?.text.contains(#""challengeResponse":{"PinCode":{"pin":"1234"}}"#) == true)
  }

  /// It counts the network's time, never the person's.
  @Test func `never again: no login timeout`() throws {
    var run = try PipelineRun()
    try run.hand(.proceed)
    #expect(run.requests[0].limits.total == .seconds(10))
    run.now.boot += .seconds(4)
    try run.hand(.reply(.challenged))
    run.now.boot += .seconds(3600)
    try run.hand(.answers([:]))
    #expect(run.requests[1].limits.total == .seconds(6))
    run.machine.excuseTime()
    run.now.boot += .seconds(60)
    try run.hand(.reply(.challenged))
    try run.hand(.answers([:]))
    #expect(run.requests[2].limits.total == .seconds(6))
    run.now.boot += .seconds(6)
    let error = #expect(throws: GatebookError.self) { try run.hand(.reply(.passed)) }
    #expect(error?.code == .networkUnreachable)
    #expect(run.requests.count == 3)
  }

  @Test func `a login sends its credentials first and fetches no token`() throws {
    var run = try PipelineRun(.login(check: "UserLogin", Self.answer))
    #expect(run.ending([.passed]) == "finish")
    #expect(run.token == nil)
    #expect(run.requests.count == 1)
    #expect(run.requests[0].text.contains(#""scope":"UserLogin""#))
  }

  @Test func `a success that needed no answer is marked as remembered`() throws {
    var run = try PipelineRun()
    #expect(run.ending([.passed, .coded, .granted]) == "finish")
    #expect(run.rounds.first?.successes.map(\.wasRemembered) == [true])
  }

  @Test func `a direct update is handled alone`() throws {
    var run = try PipelineRun()
    let body = #"{"challenges":{"UserLogin":{},"directUpdate":{}}}"#
    #expect(
      run.ending([.answer(401, ["WWW-Authenticate": "MFP-Challenge"], body: body)])
        == "challenged")
    #expect(run.rounds.last?.challenges.map(\.check) == ["directUpdate"])
  }

  @Test func `the account's cookies go with every request`() throws {
    var run = try PipelineRun()
    var reply = HTTPReply.passed
    reply.fields.append(HTTPField("Set-Cookie", "affinity=7; Path=/mfp"))
    try run.play([reply])
    #expect(run.requests[1].field("Cookie") == "affinity=7")
  }

  @Test func `other versions of the protocol are refused before anything is sent`() throws {
    var app = try PipelineRun.app()
    app.protocolVersion = 2
    var run = try PipelineRun(app: app)
    #expect(run.ending([]) == "configuration.invalid")
    #expect(run.requests.isEmpty)
  }
}
