import GatebookEvents
import Testing

@testable import GatebookAuthentication

struct DeviceGrantTests {
  private typealias Server = PlainServer

  private static let codes = HTTPReply.json(
    200,
    """
    {"device_code":"rabbit-device","user_code":"WDJB-MJHT","expires_in":30,
    "verification_uri":"https://auth.example.test/enter",
    "verification_uri_complete":"https://auth.example.test/enter?c=WDJB-MJHT"}
    """)
  private static let pending = HTTPReply.json(400, "{\"error\":\"authorization_pending\"}")
  private static let slowDown = HTTPReply.json(400, "{\"error\":\"slow_down\"}")
  private static let poll = "POST \(PlainServer.site)/token"

  private func asked() throws -> Dialogue {
    var dialogue = Dialogue(try Server.method(.device, scopes: ["x"], user: "ada"))
    try dialogue.play([.answer(401)])
    return dialogue
  }

  private func waiting(_ codes: HTTPReply = codes) throws -> Dialogue {
    var dialogue = try asked()
    try dialogue.hand(in: .reply(codes))
    try dialogue.hand(in: .proceed)
    return dialogue
  }

  private func polling() throws -> Dialogue {
    var dialogue = try waiting()
    try dialogue.hand(in: .proceed)
    return dialogue
  }

  private static let lost = TransportFailure(
    GatebookError(.networkUnreachable, "Gone.", remedy: "Wait."), delivery: .maybeSent)

  @Test
  func `the code is shown, and asked about after the interval`() throws {
    var dialogue = try asked()
    let request = try #require(dialogue.requests.last)
    #expect("\(request.method) \(request.url)" == "POST \(Server.site)/device")
    let body = try #require(FormFields(decoding: request.body))
    #expect(body.fields.map { "\($0.name)=\($0.value)" } == ["scope=x", "client_id=app"])
    try dialogue.hand(in: .reply(Self.codes))
    #expect(
      dialogue.shown
        == DeviceCode(
          userCode: "WDJB-MJHT", page: try .at("https://auth.example.test/enter"),
          completePage: try .at("https://auth.example.test/enter?c=WDJB-MJHT"),
          lifetime: .seconds(30)))
    try dialogue.hand(in: .proceed)
    #expect(dialogue.waits == [.seconds(5)])
    try dialogue.hand(in: .proceed)
    let poll = try #require(FormFields(decoding: dialogue.requests.last?.body ?? []))
    #expect(
      poll.fields.map { "\($0.name)=\($0.value)" } == [
        "grant_type=urn:ietf:params:oauth:grant-type:device_code",
        "device_code=rabbit-device", "client_id=app",
      ])
    #expect(dialogue.requests.last?.isRepeatable == false)
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    try dialogue.hand(in: .reply(.answer(200)))
    #expect(dialogue.outcome?.person.userID == "ada")
  }

  /// RFC 8628 knows no ID tokens: some servers leave them out although `openid` was granted.
  @Test
  func `without an ID token the userinfo page says who entered the code`() throws {
    var dialogue = Dialogue(try IdentityServer.method(.device))
    try dialogue.play([IdentityServer.metadata(), Self.codes])
    try dialogue.hand(in: .proceed)
    try dialogue.hand(in: .proceed)
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    #expect(dialogue.requests.last?.url.description == "\(IdentityServer.issuer)/me")
    try dialogue.hand(in: .reply(IdentityServer.userInfo))
    #expect(dialogue.outcome?.person.userID == "248289761001")
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let name: String
    let happenings: [Input.Happening]
    /// How long is waited after each of them, in milliseconds.
    let waits: [Int]
    var testDescription: String { name }
  }

  private static let rows = [
    Row(name: "pending", happenings: [.reply(pending), .reply(pending)], waits: [5000, 5000]),
    Row(
      name: "slower for good", happenings: [.reply(slowDown), .reply(pending), .reply(slowDown)],
      waits: [10_000, 10_000, 15_000]),
    Row(
      name: "slower, badly said", happenings: [.reply(.json(429, "{\"error\":\"slow_down\"}"))],
      waits: [10_000]),
    Row(
      name: "no answer doubles for good", happenings: [.failure(lost), .reply(pending)],
      waits: [10_000, 10_000]),
    Row(
      name: "in trouble", happenings: [.reply(.answer(503)), .reply(pending)],
      waits: [5000, 5000]),
    Row(
      name: "a server that names its time",
      happenings: [.reply(.answer(429, ["Retry-After": "12"])), .reply(pending)],
      waits: [12_000, 5000]),
    Row(
      name: "the page of a strange network",
      happenings: [.reply(.page()), .reply(.answer(200)), .reply(pending)],
      waits: [5000, 5000, 5000]),
    Row(
      name: "a page that names its time",
      happenings: [.reply(.answer(200, ["Retry-After": "9"], body: "<html>")), .reply(pending)],
      waits: [9000, 5000]),
    Row(
      name: "sent to a strange network",
      happenings: [.reply(.redirect(to: "http://portal.example.test/")), .reply(pending)],
      waits: [5000, 5000]),
    Row(
      name: "a web filter",
      happenings: [.reply(.page(403)), .reply(.answer(400)), .reply(pending)],
      waits: [5000, 5000, 5000]),
    Row(
      name: "a deployment",
      happenings: [
        .reply(.answer(404, ["Retry-After": "7"])), .reply(.page(404)), .reply(pending),
      ],
      waits: [7000, 5000, 5000]),
    Row(
      name: "never beyond the end", happenings: [.reply(.answer(503, ["Retry-After": "3600"]))],
      waits: [30_000]),
  ]

  @Test(arguments: rows)
  func `between two questions it waits as the standard says`(_ row: Row) throws {
    var dialogue = try polling()
    for happening in row.happenings {
      try dialogue.hand(in: happening)
      try dialogue.hand(in: .proceed)
    }
    #expect(dialogue.waits.dropFirst() == row.waits.map { Duration.milliseconds($0) }[...])
  }

  @Test(arguments: [
    (HTTPReply.json(400, "{\"error\":\"access_denied\"}"), "challenge.cancelled"),
    (.json(400, "{\"error\":\"authorization_declined\"}"), "challenge.cancelled"),
    (.json(200, "{\"error\":\"authorization_declined\"}"), "challenge.cancelled"),
    (.json(400, "{\"error\":\"expired_token\"}"), "challenge.timedOut"),
    (.json(400, "{\"error\":\"invalid_grant\"}"), "code.refused"),
    (.json(403, "{\"error\":\"any_other\"}"), "code.refused"),
    (.json(401, "{\"error\":\"invalid_client\"}"), "configuration.invalid"),
    (.json(400, "{\"error\":\"unsupported_grant_type\"}"), "configuration.invalid"),
    (.json(200, "{}"), "content.unexpected"),
    (.json(200, "{\"access_token\":\"tok12345\"}"), "content.unexpected"),
    (.page(200, "access_token=tok12345&token_type=bearer"), "content.unexpected"),
    (.page(200, "error=authorization_pending"), "content.unexpected"),
    (.json(200, "{\"error\":\"access_denied\"}"), "challenge.cancelled"),
    // GitHub answers everything with 200.
    (.json(200, "{\"error\":\"expired_token\"}"), "challenge.timedOut"),
    (.json(200, "{\"error\":\"incorrect_device_code\"}"), "code.refused"),
    (.json(200, "{\"error\":\"unsupported_grant_type\"}"), "configuration.invalid"),
  ])
  func `other answers end it`(_ reply: HTTPReply, _ end: String) throws {
    #expect(ending(try polling(), [.reply(reply)]) == end)
  }

  /// Proxies answer so, and the server during a deployment.
  private static let strays: [HTTPReply] =
    [200, 400, 401, 403, 404, 407, 418].map { .page($0) }
    + [400, 401, 403, 404, 405, 410].map { .answer($0, ["Content-Length": "0"]) }
    + [400, 401, 403, 404].map { .json($0, "{\"message\":\"No route.\"}") }
    + [400, 401, 403, 404].map { .json($0, "{\"error\":\"Forbidden by policy\"}") }
    + [.json(404, "{\"error\":\"not_found\"}"), .json(200, "[]"), .redirect(to: "/x")]

  /// RFC 8628 section 3.5 ends the polling on an error code.
  @Test(arguments: strays)
  func `an answer without an error code does not cost the person's approval`(
    _ stray: HTTPReply
  ) throws {
    var dialogue = try polling()
    for happening in [stray, Self.pending, stray, stray] {
      try dialogue.hand(in: .reply(happening))
      try dialogue.hand(in: .proceed)
    }
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    try dialogue.hand(in: .reply(.answer(200)))
    #expect(dialogue.outcome?.person.userID == "ada")
  }

  @Test(arguments: strays)
  func `a refusal after such an answer counts all the same`(
    _ stray: HTTPReply
  ) throws {
    let denied = HTTPReply.json(400, "{\"error\":\"access_denied\"}")
    #expect(
      ending(try polling(), [.reply(stray), .proceed, .reply(denied)]) == "challenge.cancelled")
  }

  @Test(arguments: [
    (Input.Happening.reply(.page()), "network.unreachable"),
    (.reply(.page(403)), "server.refused"), (.reply(.answer(404)), "configuration.invalid"),
    (.reply(.redirect(to: "/x")), "server.moved"),
    (.reply(.redirect(to: "https://portal.example.test/")), "network.unreachable"),
    (.reply(.answer(503)), "server.unavailable"), (.failure(lost), "outcome.unknown"),
    (.reply(pending), "challenge.timedOut"),
  ])
  func `when the code expires, the error says what kept the server from answering`(
    _ last: Input.Happening, _ end: String
  ) throws {
    var dialogue = try polling()
    try dialogue.hand(in: .reply(.answer(500)))
    try dialogue.hand(in: .proceed)
    try dialogue.hand(in: last)
    dialogue.moment = .earlier(-30)
    #expect(ending(dialogue, [.proceed]) == end)
  }

  @Test
  func `a page has granted nothing, an answer that was cut may have`() throws {
    let refused = HTTPReply.json(400, "{\"error\":\"invalid_grant\"}")
    #expect(
      ending(try polling(), [.reply(.page()), .proceed, .reply(refused)]) == "code.refused")
    let cut = HTTPReply.json(200, "{\"access_token\":\"tok1")
    #expect(
      ending(try polling(), [.reply(cut), .proceed, .reply(refused)]) == "outcome.unknown")
  }

  @Test
  func `it says how long it waits between two questions`() throws {
    var machine = try #require(
      try Server.method(.device, user: "ada").authenticator() as? any RedirectAuthenticator)
    func hand(_ happening: Input.Happening) throws {
      _ = try machine.next(
        Input(happening, at: Dialogue.moment, random: [UInt8](repeating: 7, count: 64)))
    }
    #expect(machine.interval == nil)
    try hand(.start)
    try hand(.reply(.answer(401)))
    try hand(.reply(Self.codes))
    #expect(machine.interval == .seconds(5))
    try hand(.proceed)
    try hand(.proceed)
    try hand(.reply(Self.slowDown))
    #expect(machine.interval == .seconds(10))
    let again = RedirectAuthenticators.decode(method: "oauth2", record: machine.record)
    #expect(again?.interval == .seconds(10))
  }

  @Test
  func `a certificate that is not trusted ends it`() throws {
    let untrusted = TransportFailure(
      GatebookError(.tlsUntrusted, "No.", remedy: "Look."), delivery: .notSent)
    #expect(ending(try polling(), [.failure(untrusted)]) == "tls.untrusted")
  }

  @Test(arguments: [
    (HTTPReply.json(401, "{\"error\":\"invalid_client\"}"), "configuration.invalid"),
    (.json(400, "{\"error\":\"invalid_scope\"}"), "configuration.invalid"),
    (.answer(404), "configuration.invalid"), (.answer(503), "server.unavailable"),
    (.page(), "content.unexpected"), (.redirect(to: "/x"), "server.moved"),
    (
      .json(200, "{\"device_code\":\"d\",\"user_code\":\"\\u001b[2J\",\"verification_uri\":\"x\"}"),
      "content.unexpected"
    ),
    (.json(200, "{\"device_code\":\"d\",\"user_code\":\"A\"}"), "content.unexpected"),
  ])
  func `what gives no code`(_ reply: HTTPReply, _ end: String) throws {
    #expect(ending(try asked(), [.reply(reply)]) == end)
  }

  @Test(arguments: [29, 30, 31])
  func `after the code's end nobody is asked`(_ seconds: Int) throws {
    var dialogue = try waiting()
    dialogue.moment = .earlier(-seconds)
    #expect(ending(dialogue, [.proceed]) == (seconds < 30 ? Self.poll : "challenge.timedOut"))
    // A wall clock that was set back does not make it younger.
    dialogue.moment.wall = Dialogue.moment.wall - .seconds(3600)
    #expect(ending(dialogue, [.proceed]) == (seconds < 30 ? Self.poll : "challenge.timedOut"))
  }

  @Test
  func `the last wait ends with the code`() throws {
    var dialogue = try polling()
    dialogue.moment = .earlier(-27)
    try dialogue.hand(in: .reply(Self.pending))
    #expect(dialogue.waits.last == .seconds(3))
    dialogue.moment = .earlier(-30)
    #expect(ending(dialogue, [.proceed]) == "challenge.timedOut")
  }

  @Test
  func `an older server's names, a float and no life`() throws {
    let dialogue = try waiting(
      .json(
        200,
        """
        {"device_code":"d","user_code":"A B","interval":"2.0",
        "verification_url":"https://auth.example.test/"}
        """))
    #expect(dialogue.waits == [.seconds(2)])
    #expect(dialogue.shown?.lifetime == .seconds(600))
    #expect(dialogue.shown?.completePage == nil)
  }

  @Test(arguments: [
    ("1.5", 2), ("\"1.5\"", 2), ("5.0", 5), ("0.2", 1), ("0", 1), ("-1", 5), ("null", 5),
    ("\"soon\"", 5), ("7", 7),
  ])
  func `a part of a second is waited for as a whole one`(_ written: String, _ seconds: Int) throws {
    let dialogue = try waiting(
      .json(
        200,
        """
        {"device_code":"d","user_code":"A B","interval":\(written),
        "verification_uri":"https://auth.example.test/"}
        """))
    #expect(dialogue.waits == [.seconds(seconds)])
  }

  @Test(arguments: [
    "\"verification_uri\":null,\"verification_url\":\"https://auth.example.test/u\"",
    "\"verification_url\":\"https://auth.example.test/u\"",
    "\"verification_uri\":\"\",\"verification_url\":\"https://auth.example.test/u\"",
    "\"verification_uri\":\"https://auth.example.test/u\",\"verification_url\":null",
    "\"verification_uri\":\"https://auth.example.test/u\",\"verification_uri_complete\":null",
  ])
  func `the page is the one of the two members that is there`(_ members: String) throws {
    let dialogue = try waiting(
      .json(200, "{\"device_code\":\"d\",\"user_code\":\"A B\",\(members)}"))
    let page = try HTTPURL.at("https://auth.example.test/u")
    #expect(dialogue.shown?.page == page)
  }

  @Test
  func `it continues after a restart`() throws {
    let input = { (happening: Input.Happening, moment: Moment) in
      Input(happening, at: moment, random: [UInt8](repeating: 7, count: 64))
    }
    let method = try Server.method(.device, user: "ada")
    var machine = try #require(
      method.authenticator() as? OAuth2Authenticator<PlainOAuth2>)
    _ = try machine.next(input(.start, Dialogue.moment))
    _ = try machine.next(input(.reply(.answer(401)), Dialogue.moment))
    _ = try machine.next(input(.reply(Self.codes), Dialogue.moment))
    _ = try machine.next(input(.proceed, Dialogue.moment))
    _ = try machine.next(input(.proceed, Dialogue.moment))
    _ = try machine.next(input(.reply(Self.slowDown), Dialogue.moment))
    let record = try #require(Facts(decoding: machine.record.encoded))
    // After a restart of the machine its boot clock means nothing.
    let later = Moment(wall: Dialogue.moment.wall + .seconds(8), boot: .seconds(1))
    var again = try #require(RedirectAuthenticators.decode(method: "oauth2", record: record))
    guard case .wait(let duration) = try again.next(input(.proceed, later)) else {
      Issue.record("it does not wait")
      return
    }
    #expect(duration == .seconds(10))
    guard case .send(let request) = try again.next(input(.proceed, later)) else {
      Issue.record("it does not ask")
      return
    }
    #expect(request.text.contains("rabbit-device"))
    var late = try #require(RedirectAuthenticators.decode(method: "oauth2", record: record))
    let end = Moment(wall: Dialogue.moment.wall + .seconds(30), boot: .seconds(1))
    #expect(throws: GatebookError.self) { try late.next(input(.proceed, end)) }
  }
}
