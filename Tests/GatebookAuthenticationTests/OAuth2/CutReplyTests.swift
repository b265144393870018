import GatebookAuthentication
import Testing

/// Which granting answers have lost their end.
@Suite struct CutReplyTests {
  @Test(arguments: [
    (200, "{\"access_token\":\"ab", true), (200, " \n{", true), (201, "{\"a\":1", true),
    (200, "", true), (200, " \r\n", true), (204, "", false), (205, "", false),
    (200, "{}", false), (200, "<html>", false), (400, "{\"error", false), (503, "{", false),
    (400, "", true), (401, "", true), (403, "\n", false), (404, "", false), (503, "", false),
  ])
  func `an answer without its end is distinguished from a broken one`(
    _ status: Int, _ body: String, _ isCut: Bool
  ) {
    #expect(HTTPReply.answer(status, body: body).isCut == isCut)
  }

  @Test
  func `an answer that says how long it is says so, too, when it is empty`() {
    #expect(!HTTPReply.answer(200, ["content-length": "0"]).isCut)
    #expect(!HTTPReply.answer(200, ["Transfer-Encoding": "chunked"]).isCut)
    #expect(HTTPReply.answer(200, ["Content-Length": "9"], body: "{\"a\":1234").isCut)
  }

  @Test func `an empty answer of a protocol that tells its end is whole`() {
    var reply = HTTPReply(status: 200)
    #expect(reply.isCut)
    reply.isDelimited = true
    #expect(!reply.isCut)
    reply.body = Array("{\"a\":1234".utf8)
    #expect(reply.isCut)
  }
}
