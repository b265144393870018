internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

@testable internal import GatebookAuthentication

/// Answers of token endpoints: RFC 5849 sections 2.1 and 2.3.
struct OAuth1ReplyTests {
  private func reply(_ body: String, status: Int = 200) throws -> OAuth1Reply {
    try OAuth1Reply(HTTPReply(status: status, body: Array(body.utf8)))
  }

  private func refusal(_ body: () throws -> Void) -> FailureCode? {
    do {
      try body()
      return nil
    } catch {
      return (error as? GatebookError)?.code
    }
  }

  @Test(arguments: ["", "\n", "\r\n"])
  func `temporary credentials are read`(_ end: String) throws {
    let token = try reply(
      "oauth_token=hh5s93j4hdidpola&oauth_token_secret=hdhd0244k9j7ao03"
        + "&oauth_callback_confirmed=true" + end
    ).temporaryToken()
    #expect(
      token
        == OAuth1Token(token: Secret("hh5s93j4hdidpola"), secret: Secret("hdhd0244k9j7ao03")))
  }

  @Test
  func `defect 14: values of an answer are decoded`() throws {
    let token = try reply("oauth_token=a%2Fb%3D%3D+c&oauth_token_secret=%26%C3%A9%25").token()
    #expect(token == OAuth1Token(token: Secret("a/b== c"), secret: Secret("&é%")))
  }

  @Test(arguments: [300, 302, 400, 401, 403, 404, 500, 503])
  func `defect 14: an answer of an error is no token`(_ status: Int) {
    let body = "oauth_token=a&oauth_token_secret=b&oauth_callback_confirmed=true"
    #expect(refusal { _ = try reply(body, status: status) } == .contentUnexpected)
  }

  @Test(arguments: [
    ("true", true), ("True", true), ("TRUE", true), ("tr%75e", true), ("false", false),
    ("", false), ("1", false), ("truer", false), (nil, false),
  ])
  func `defect 14: an unconfirmed callback is refused`(
    _ value: String?, _ isConfirmed: Bool
  ) throws {
    let confirmation = value.map { "&oauth_callback_confirmed=\($0)" } ?? ""
    let reply = try reply("oauth_token=a&oauth_token_secret=b" + confirmation)
    #expect(reply.isCallbackConfirmed == isConfirmed)
    #expect(refusal { _ = try reply.temporaryToken() } == (isConfirmed ? nil : .contentUnexpected))
    #expect(
      try reply.temporaryToken(requiringConfirmation: false)
        == OAuth1Token(token: Secret("a"), secret: Secret("b")))
  }

  @Test(arguments: [
    "", "oauth_token=a", "oauth_token_secret=b", "oauth_token=&oauth_token_secret=b",
    "<html>oauth_token=a&amp;oauth_token_secret=b</html>", "{\"oauth_token\":\"a\"}",
    "oauth_token=%FF&oauth_token_secret=b", "OAUTH_TOKEN=a&OAUTH_TOKEN_SECRET=b",
  ])
  func `an answer without token or secret is refused`(_ body: String) {
    #expect(refusal { _ = try reply(body).token() } == .contentUnexpected)
  }

  @Test
  func `an empty token secret is a secret`() throws {
    #expect(try reply("oauth_token=a&oauth_token_secret=").token().secret.isEmpty)
  }

  @Test(arguments: ["oauth_token=a&oauth_token=b", "x=1&x=1", "oauth_tok%65n=a&oauth_token=a"])
  func `a parameter that occurs twice is refused`(_ body: String) {
    #expect(refusal { _ = try reply(body + "&oauth_token_secret=b") } == .contentUnexpected)
  }

  @Test
  func `a body beyond the limit is refused`() throws {
    let start = "oauth_token=a&oauth_token_secret="
    let room = OAuth1Reply.maximumSize - start.utf8.count
    #expect(try reply(start + String(repeating: "b", count: room)).token().secret.count == room)
    #expect(
      refusal { _ = try reply(start + String(repeating: "b", count: room + 1)) }
        == .contentUnexpected)
  }

  @Test(arguments: Mutations.seeds)
  func `no body traps the reader`(_ seed: UInt64) {
    let samples = ["oauth_token=a%2Fb&oauth_token_secret=%26&oauth_callback_confirmed=true"]
    for body in Mutations(of: samples, marks: "%&=+", seed: seed) {
      let reply = HTTPReply(status: 200, body: body)
      _ = OAuth1Problem(reply)
      do {
        _ = try OAuth1Reply(reply).temporaryToken()
      } catch {
        #expect(error.code == .contentUnexpected)
      }
    }
  }
}
