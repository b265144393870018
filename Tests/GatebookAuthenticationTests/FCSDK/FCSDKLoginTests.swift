internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

struct FCSDKLoginTests {
  private static let login = "POST \(GatewayLogin.site)/csdk-sample/SDK/login"

  private static let accepted =
    [200, 201, 299].map { DialogueRow("a session", [.json($0, #"{"sessionid":"abc"}"#)], "finish") }
    + [DialogueRow("all of it", [GatewayLogin.accepted], "finish")]

  private static let useless = [
    HTTPReply.page(), .answer(204), .json(200, "[]"), .json(200, "{}"), .json(200, "null"),
    .json(200, #"{"sessionid":""}"#), .json(200, #"{"sessionid":5}"#),
    .json(200, #"{"sessionid":null}"#), .json(200, #"{"sessionid":"abc"}}"#),
    .json(200, #"{"sessionid":"abc","sessionid":"abd"}"#), .json(200, #"{"SessionID":"abc"}"#),
  ].map { DialogueRow("2xx without a session", [$0], "content.unexpected") }

  private static let refused =
    [
      HTTPReply.page(401), .json(401, "{}"), .answer(401), .json(401, #"{"sessionid":"abc"}"#),
      .answer(401, ["WWW-Authenticate": "Basic realm=\"front\""]),
    ].map { DialogueRow("401, any body", [$0], "credentials.refused") }
    + [400, 402, 403, 408, 409, 415, 418, 422, 425, 451, 499].map {
      DialogueRow("another refusal", [.json($0, #"{"sessionid":"abc"}"#)], "server.refused")
    }
    + [100, 300, 304].map { DialogueRow("no answer to a login", [.page($0)], "server.refused") }

  private static let elsewhere =
    [404, 405, 410].map {
      DialogueRow("not at this path", [.json($0, #"{"sessionid":"abc"}"#)], "configuration.invalid")
    }
    + [429, 500, 501, 502, 503, 504, 599, 600, 999].map {
      DialogueRow("trouble", [.json($0, #"{"sessionid":"abc"}"#)], "server.unavailable")
    }
    + [301, 302, 303, 307, 308].map {
      DialogueRow("not followed", [.redirect(to: "/x", status: $0)], "server.moved")
    }

  @Test(arguments: [DialogueRow("start", [], login)] + accepted + useless + refused + elsewhere)
  func `every answer to a login has one meaning`(_ row: DialogueRow) throws {
    var dialogue = Dialogue(try GatewayLogin.method())
    #expect(dialogue.ending(row.replies) == row.ending)
    #expect(dialogue.requests.count == 1)
  }

  @Test(arguments: [TransportFailure.Delivery.notSent, .maybeSent])
  func `a login without an answer is the transport's failure, and is not repeated`(
    _ delivery: TransportFailure.Delivery
  ) throws {
    var dialogue = Dialogue(try GatewayLogin.method())
    try dialogue.hand(in: .start)
    let failure = TransportFailure(
      GatebookError(.networkUnreachable, "down", remedy: "wait"), delivery: delivery)
    let error = #expect(throws: GatebookError.self) { try dialogue.hand(in: .failure(failure)) }
    #expect(error?.code == .networkUnreachable)
    #expect(dialogue.requests.count == 1)
  }

  @Test
  func `the body is exactly name and password, in this order`() throws {
    var dialogue = Dialogue(
      try GatewayLogin.method(user: #"a"b\c"#, password: "p\u{1}ä🔑/\n\""))
    try dialogue.play([])
    let request = try #require(dialogue.requests.first)
    let body = #"{"username":"a\"b\\c","password":"p\u0001ä🔑/\n\""}"#
    #expect(String(decoding: request.body, as: UTF8.self) == body)
    #expect(request.fields == [HTTPField("Content-Type", "application/json")])
    #expect(!request.isRepeatable)
  }

  @Test
  func `what is useless is not sent`() throws {
    for method in [try GatewayLogin.method(user: ""), try GatewayLogin.method(password: "")] {
      var dialogue = Dialogue(method)
      #expect(dialogue.ending([]) == "configuration.invalid")
      #expect(dialogue.requests.isEmpty)
    }
  }

  @Test
  func `the person is the name that was typed`() throws {
    let outcome = try Dialogue.outcome(
      of: GatewayLogin.method(user: "Ada.L"), GatewayLogin.accepted)
    let person = outcome.person
    #expect(person.family == "fcsdk")
    #expect(person.tenant.isEmpty)
    #expect(person.userID == "Ada.L")
    #expect(person.loginName == "Ada.L")
    #expect(person.server.description == GatewayLogin.site)
  }

  @Test
  func `the evidence is the server's name for the user, or only its session`() throws {
    let named = try Dialogue.outcome(of: GatewayLogin.method(), GatewayLogin.accepted)
    #expect(named.evidence == .identity)
    for body in [#"{"sessionid":"abc"}"#, #"{"sessionid":"abc","voiceUser":""}"#] {
      let other = try Dialogue.outcome(of: GatewayLogin.method(), .json(200, body))
      #expect(other.evidence == .session)
    }
  }

  @Test
  func `unknown names are attributes, secrets are not`() throws {
    let body = """
      {"sessionid":"cipher/1","voiceUser":"1001","voiceDomain":"d","id":"u-1","level":3,"on":true,
      "ratio":1.5,"none":null,"parts":[1,{"a":"b"}],"authToken":"x","Session_ID":"y","PASSWORD":"z",
      "cookies":[],"echo":"my cipher/1","nested":{"deep":["rabbit"]},"inner":{"accessToken":"q"}}
      """
    let outcome = try Dialogue.outcome(of: GatewayLogin.method(), .json(200, body))
    let attributes = outcome.attributes
    #expect(
      attributes.names
        == ["id", "level", "none", "on", "parts", "ratio", "voiceDomain", "voiceUser"])
    #expect(attributes["parts"] == #"[1,{"a":"b"}]"#)
    #expect(attributes["ratio"] == "1.5")
    #expect(attributes.facts["level"] == 3)
  }

  @Test
  func `an id that is the session's is no attribute, a name like the password is one`() throws {
    let outcome = try Dialogue.outcome(
      of: GatewayLogin.method(password: "1001"),
      .json(200, #"{"sessionid":"abc","id":"abc","voiceUser":"1001"}"#))
    #expect(outcome.attributes.names == ["voiceUser"])
  }

  @Test
  func `the fingerprint is made of the session's id, the password is only for saving`() throws {
    let outcome = try GatewayLogin.outcome(session: "abc")
    #expect(outcome.fingerprints == ["sessionRef": Secret("abc")])
    #expect(outcome.proof.record["password"] == nil)
    #expect(outcome.proof.renewal(jar: outcome.jar) == nil)
    let saved = try #require(outcome.credentials)
    #expect(saved.record["password"]?.text == "rabbit")
    var dialogue = Dialogue(try #require(saved.renewal(jar: outcome.jar)))
    try dialogue.play([GatewayLogin.answer(session: "abd")])
    #expect(dialogue.outcome?.proof.record["sessionid"]?.text == "abd")
  }
}
