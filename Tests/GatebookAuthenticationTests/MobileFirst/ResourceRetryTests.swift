internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

@Suite struct ResourceRetryTests {
  private static func bearer(_ status: Int, _ parameters: String = "") -> HTTPReply {
    .answer(status, ["WWW-Authenticate": "Bearer\(parameters)"])
  }

  private static let scoped = #" error="insufficient_scope", scope="RegisteredClient a=b,c""#

  private static let moves: [(HTTPReply, String?, ResourceRetry.Move)] = [
    (bearer(401), nil, .obtain("")),
    (bearer(401, #" error="invalid_token""#), "a", .renew("a")),
    (bearer(401, #" error="invalid_token""#), nil, .obtain("")),
    (bearer(403, scoped), "", .obtain("RegisteredClient a=b,c")),
    (bearer(403), "", .done),
    (.conflict, "a", .resend),
    (.answer(409), "a", .done),
    (.challenged, nil, .done),
    (.answer(401, ["WWW-Authenticate": "Basic realm=\"x\""]), nil, .done),
    (.answer(403), nil, .done),
    (.answer(200), nil, .done),
    (.answer(500), nil, .done),
  ]

  @Test(arguments: 0..<moves.count)
  func `each answer of a resource leads where the table says`(index: Int) {
    let (reply, scope, move) = Self.moves[index]
    var retry = ResourceRetry()
    #expect(retry.next(reply, scope: scope) == move)
  }

  @Test func `after four retries and seven conflicts the answer is the caller's`() {
    var retry = ResourceRetry()
    for _ in 1...4 { #expect(retry.next(Self.bearer(401), scope: nil) != .done) }
    #expect(retry.next(Self.bearer(401), scope: nil) == .done)
    for _ in 1...7 { #expect(retry.next(.conflict, scope: nil) == .resend) }
    #expect(retry.next(.conflict, scope: nil) == .done)
  }

  @Test func `never again: header parsing by splitting at "," and "="`() {
    #expect(Self.bearer(403, Self.scoped).resourceScope == "RegisteredClient a=b,c")
    #expect(Self.bearer(403).resourceScope == nil)
    #expect(HTTPReply.challenged.resourceScope == nil)
  }

  @Test func `a challenge of checks is no want of a token`() {
    #expect(!HTTPReply.challenged.isAuthorizationRequired)
    #expect(HTTPReply.conflict.isAuthorizationRequired)
    #expect(Self.bearer(401).isAuthorizationRequired)
    #expect(Self.bearer(403).isAuthorizationRequired)
    #expect(!Self.bearer(500).isAuthorizationRequired)
    #expect(!HTTPReply.answer(409).isAuthorizationRequired)
  }
}
