import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

struct PushedRequestTests {
  private typealias Server = IdentityServer

  private static let pushed = HTTPReply.json(
    201, "{\"request_uri\":\"urn:example:r\",\"expires_in\":60}")

  private func metadata(demanded: Bool, endpoint: Bool = true) -> HTTPReply {
    Server.metadata([
      "pushed_authorization_request_endpoint": endpoint ? "\"\(Server.issuer)/par\"" : nil,
      "require_pushed_authorization_requests": demanded ? "true" : "false",
    ])
  }

  @Test
  func `the browser gets the reference alone`() throws {
    var dialogue = Dialogue(try Server.method())
    try dialogue.play([metadata(demanded: false)])
    let request = try #require(dialogue.requests.last)
    #expect("\(request.method) \(request.url)" == "POST https://issuer.example/par")
    let body = try #require(FormFields(decoding: request.body))
    #expect(!body.hasRepetition)
    #expect(body["client_id"] == "gatebook")
    #expect(body["code_challenge_method"] == "S256")
    #expect(body["redirect_uri"] == Server.callback)
    try dialogue.hand(in: .reply(Self.pushed))
    let page = try Server.page(dialogue)
    #expect(page.fields.map(\.name) == ["client_id", "request_uri"])
    #expect(page["request_uri"] == "urn:example:r")
    #expect(dialogue.opened?.redirect.value == body["state"])
  }

  @Test
  func `the application shows who it is`() throws {
    var dialogue = Dialogue(
      try Server.method(
        .code(redirectURI: Server.callback), Server.application(.basic(Secret("s3cret")))))
    try dialogue.play([metadata(demanded: true)])
    let request = try #require(dialogue.requests.last)
    #expect(
      request.field("Authorization") == "Basic " + Base64.encode(Array("gatebook:s3cret".utf8)))
    #expect(try #require(FormFields(decoding: request.body))["client_id"] == "gatebook")
  }

  @Test(arguments: [
    (HTTPReply.answer(404), "open", "configuration.invalid"),
    (.answer(503), "open", "server.unavailable"),
    (
      .json(400, "{\"error\":\"invalid_request\"}"), "configuration.invalid",
      "configuration.invalid"
    ),
    (
      .json(401, "{\"error\":\"invalid_client\"}"), "configuration.invalid", "configuration.invalid"
    ),
    (.json(201, "{}"), "content.unexpected", "content.unexpected"),
    (.redirect(to: "/x"), "server.moved", "server.moved"),
  ])
  func `where pushing is demanded there is no other way`(
    _ reply: HTTPReply, _ offered: String, _ demanded: String
  ) throws {
    for (isDemanded, end) in [(false, offered), (true, demanded)] {
      var dialogue = Dialogue(try Server.method())
      try dialogue.play([metadata(demanded: isDemanded)])
      #expect(ending(dialogue, [.reply(reply)]) == end)
    }
  }

  @Test
  func `a demand without an endpoint cannot be met`() throws {
    var dialogue = Dialogue(try Server.method())
    #expect(dialogue.ending([metadata(demanded: true, endpoint: false)]) == "configuration.invalid")
  }
}
