import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

struct OAuth2RefreshTests {
  private typealias Server = PlainServer

  private func started() throws -> Dialogue { try .renewal(of: Server.outcome().proof) }

  @Test
  func `the refresh token is sent once, and what comes replaces what was`() throws {
    var dialogue = try started()
    let request = try #require(dialogue.requests.last)
    #expect("\(request.method) \(request.url)" == "POST \(Server.site)/token")
    #expect(!request.isRepeatable)
    let body = try #require(FormFields(decoding: request.body))
    #expect(
      body.fields.map { "\($0.name)=\($0.value)" } == [
        "grant_type=refresh_token", "refresh_token=rabbit-refresh", "client_id=app",
      ])
    try dialogue.hand(
      in: .reply(
        IdentityServer.granted([
          "access_token": "\"new\"", "refresh_token": "\"next\"", "expires_in": "60.5",
        ])))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.lifetime == .seconds(60))
    #expect(outcome.person == (try Server.outcome().person))
    #expect(outcome.proof.fingerprinted == Secret("next"))
    #expect(outcome.proof.bearer(since: Dialogue.moment.wall)?.value == Secret("new"))
    #expect(outcome.attributes.names.isEmpty && outcome.changedEndpoints.isEmpty)
  }

  @Test
  func `an answer without a refresh token keeps the old one`() throws {
    var dialogue = try started()
    try dialogue.hand(
      in: .reply(
        IdentityServer.granted([
          "access_token": "\"new\"", "refresh_token": nil, "expires_in": nil,
        ])))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.proof.fingerprinted == Secret("rabbit-refresh"))
    #expect(outcome.lifetime == nil)
  }

  @Test
  func `the life counts from when the request was sent`() throws {
    var dialogue = try started()
    dialogue.moment = .earlier(-10)
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    #expect(dialogue.outcome?.lifetime == .seconds(600))
    #expect(dialogue.outcome?.sent == Dialogue.moment)
  }

  @Test
  func `no answer is the transport's failure`() throws {
    #expect(ending(try started(), [.failure(Dialogue.lost)]) == "network.unreachable")
  }

  // MARK: The whole table of section 9 of the protocol's notes

  private static func error(_ status: Int, _ code: String) -> HTTPReply {
    .json(status, "{\"error\":\"\(code)\"}")
  }

  /// What servers call a refresh token that they do not accept any more.
  private static let deadToken = [
    "invalid_grant", "bad_refresh_token", "refresh_token_reused", "refresh_token_not_found",
    "invalid_refresh_token", "token_expired",
  ]

  private static let terminal: [HTTPReply] =
    [200, 400, 401, 403].flatMap { status in
      deadToken.flatMap {
        [
          error(status, $0), .json(status, "{\"error_code\":\"\($0)\",\"code\":\(status)}"),
          .json(status, "{\"error\":\"Bad Request\",\"error_code\":\"\($0)\"}"),
        ]
      }
        + [
          "invalid_token", "access_denied", "login_required", "interaction_required",
          "consent_required",
        ].map { error(status, $0) }
    }
    + [400, 401].flatMap { status in
      [
        .answer(status, ["Content-Length": "0"]),
        .answer(status, ["Content-Type": "text/html", "Transfer-Encoding": "chunked"]),
      ]
    } + [
      .json(200, "{\"error\":\"invalid_token\",\"access_token\":null}"),
      // Labelled as something else: judged by content.
      .page(401, "{\"error\":\"invalid_grant\"}"),
    ]

  @Test(arguments: terminal)
  func `a closed list of answers ends a session`(_ reply: HTTPReply) throws {
    #expect(ending(try started(), [.reply(reply)]) == "token.refused")
  }

  private static let others: [(HTTPReply, String)] =
    [400, 401, 403].flatMap { status in
      [
        "invalid_client", "unauthorized_client", "unsupported_grant_type", "invalid_scope",
        "invalid_request",
      ].map { (error(status, $0), "configuration.invalid") }
    }
    // Where nothing says that there was to be no body, it may be lost.
    + [400, 401, 403].map { (.answer($0), "content.unexpected") }
    // A proxy may refuse so: RFC 6749 section 5.2 knows 400 and 401.
    + [(.answer(403, ["Content-Length": "0"]), "server.refused")]
    // A word about the client, or about what is in the way, whatever else is there.
    + [
      (
        .json(400, "{\"error\":\"invalid_client\",\"error_code\":\"token_expired\"}"),
        "configuration.invalid"
      ),
      (.json(400, "{\"message\":\"Project not specified\"}"), "server.refused"),
      (.json(400, "{\"error_code\":\"over_quota\"}"), "server.refused"),
      (.json(400, "{\"error_code\":\"invalid_token\"}"), "server.refused"),
      (error(400, "temporarily_unavailable"), "server.refused"),
    ]
    + [404, 405, 410, 415].map { (.answer($0), "configuration.invalid") }
    + [408, 425, 429, 500, 502, 503].map { (.answer($0), "server.unavailable") }
    + [301, 302, 303, 307, 308].map { (.redirect(to: "/x", status: $0), "server.moved") }
    + [
      (error(500, "invalid_grant"), "server.unavailable"),
      (error(503, "invalid_token"), "server.unavailable"),
      (error(404, "invalid_grant"), "configuration.invalid"),
      (error(418, "invalid_grant"), "server.refused"),
      (error(422, "access_denied"), "server.refused"),
      (error(400, "own_code"), "server.refused"), (.answer(418), "server.refused"),
      (.page(400), "server.refused"), (.page(401, "no"), "server.refused"),
      (.answer(400, body: " "), "server.refused"), (.page(403), "server.refused"),
      (.json(400, "{\"error\":\"invalid_gr"), "server.refused"),
      (.page(200), "content.unexpected"), (.answer(200), "content.unexpected"),
      (.json(200, "{}"), "content.unexpected"), (error(200, "own_code"), "content.unexpected"),
      (error(200, "invalid_client"), "content.unexpected"),
      (error(201, "invalid_grant"), "content.unexpected"), (.answer(204), "content.unexpected"),
      (
        .json(200, "{\"error\":\"invalid_grant\",\"access_token\":\"a\",\"token_type\":\"mac\"}"),
        "content.unexpected"
      ),
      (.json(200, "{\"access_token\":\"a\",\"token_ty"), "content.unexpected"),
    ]

  @Test(arguments: [
    "", "{}", "[]", "[{\"access_token\":\"a\",\"token_type\":\"bearer\"}]",
    "{\"data\":{\"access_token\":\"a\"}}", "access_token=a&token_type=bearer&refresh_token=b", "ok",
    ")]}',\n{\"access_token\":\"a\",\"token_type\":\"bearer\"}", "\"a\"", "null",
    "{\"error\":null}",
    "{\u{0}\"\u{0}a\u{0}\"\u{0}",
  ])
  func `a 200 that cannot be read may have used up what was sent`(_ body: String) throws {
    for type in ["application/json", "text/html", "text/plain"] {
      var dialogue = try started()
      let reply = HTTPReply.answer(
        200, ["Content-Type": type, "Content-Length": "\(body.utf8.count)"], body: body)
      do {
        try dialogue.hand(in: .reply(reply))
        Issue.record("\(body) granted something.")
      } catch {
        #expect(error.code == .contentUnexpected)
        #expect(error.fault == Fault.answerUnreadable.name, "\(body)")
      }
    }
  }

  @Test(arguments: [
    "<!doctype html><title>Agree</title>", "\n <html>", "\u{FEFF}<p>", "{\"error\":\"own_code\"}",
    "{\"error\":{\"code\":190}}", "{\"access_token\":\"a\",\"token_type\":\"mac\"}",
  ])
  func `a 200 that says that nothing was granted, or a page, is no use of it`(
    _ body: String
  ) throws {
    var dialogue = try started()
    do {
      try dialogue.hand(in: .reply(.answer(200, body: body)))
      Issue.record("\(body) granted something.")
    } catch {
      #expect(error.fault != Fault.answerUnreadable.name)
      #expect(error.code == .contentUnexpected)
    }
  }

  @Test(arguments: others)
  func `no other answer does`(_ reply: HTTPReply, _ code: String) throws {
    #expect(ending(try started(), [.reply(reply)]) == code)
  }

  @Test(arguments: [200, 201])
  func `a grant is one with either status`(_ status: Int) throws {
    var dialogue = try started()
    try dialogue.hand(
      in: .reply(
        .json(
          status,
          "{\"access_token\":\"new\",\"refresh_token\":\"next\",\"token_type\":\"bearer\"}")))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.proof.fingerprinted == Secret("next"))
    #expect(outcome.proof.bearer(since: Dialogue.moment.wall)?.value == Secret("new"))
  }

  // MARK: Answers that have used up what was sent, and grant nothing that can be used

  @Test(arguments: [
    // RFC 6749 section 5.1: "token_type REQUIRED".
    ["token_type": nil],
    ["token_type": "\"mac\""], ["access_token": nil], ["access_token": "\"\""],
    ["access_token": "7"], ["token_type": "\"DPoP\""],
  ])
  func `another refresh token is kept whatever else is wrong`(_ changes: [String: String?]) throws {
    var changes = changes
    changes["refresh_token"] = "\"next\""
    let former = try Server.outcome()
    var dialogue = try Dialogue.renewal(of: former.proof)
    try dialogue.hand(in: .reply(IdentityServer.granted(changes)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.partialRenewal?.code == .contentUnexpected)
    #expect(outcome.unfitForLogin?.code == .contentUnexpected)
    #expect(outcome.proof.fingerprinted == Secret("next"))
    #expect(
      outcome.proof.bearer(since: Dialogue.moment.wall)?.value
        == former.proof.bearer(since: Dialogue.moment.wall)?.value)
    #expect(outcome.lifetime == former.lifetime)
    #expect(outcome.person == former.person)
  }

  @Test(arguments: [nil, "null", "\"\"", "7", "\"rabbit-refresh\""])
  func `one that is none, or the same, is no other`(_ refresh: String?) throws {
    let reply = IdentityServer.granted(["token_type": "\"mac\"", "refresh_token": refresh])
    #expect(ending(try started(), [.reply(reply)]) == "content.unexpected")
  }
}
