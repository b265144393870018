internal import GatebookAuthentication
internal import GatebookCrypto
internal import Testing

/// What an answer says (RFC 7616 section 3.4) and what its reply must say (section 3.5).
struct DigestAnswerTests {
  private static let key = DigestKey(
    user: "ada", realm: "r", password: Secret("rabbit"), hash: .md5)

  private static func answer(
    _ parameters: String = "realm=\"r\", nonce=\"n\", qop=\"auth\"", user: String = "ada",
    url: String = "https://www.example.test/a?b=c", count: UInt32 = 1, clientNonce: String = "c"
  ) throws -> DigestAnswer {
    let challenge = try #require(
      ChallengeList.parse(["Digest \(parameters)"]).first.flatMap { DigestChallenge($0) })
    return DigestAnswer(
      challenge, to: .get(try .at(url)), user: user, key: key.digits, count: count,
      clientNonce: clientNonce)
  }

  @Test(arguments: [
    ("ada", "username=\"ada\""), ("a\"b\\c", "username=\"a\\\"b\\\\c\""),
    ("a b,c=d", "username=\"a b,c=d\""), ("ü", "username*=UTF-8''%C3%BC"),
    ("a!#$&+-.^_`|~9é", "username*=UTF-8''a!#$&+-.^_`|~9%C3%A9"),
    ("é%'()*/ ", "username*=UTF-8''%C3%A9%25%27%28%29%2A%2F%20"),
  ])
  func `a user name is quoted, or extended text`(_ user: String, _ text: String) throws {
    let parameters = "realm=\"r\", nonce=\"n\", qop=\"auth\", charset=UTF-8"
    #expect(
      try Self.answer(parameters, user: user).field.value.hasPrefix("Digest \(text), realm="))
  }

  @Test(arguments: ["", ", charset=ISO-8859-1"])
  func `a server that knows no extended text reads the name as it is`(_ charset: String) throws {
    let parameters = "realm=\"r\", nonce=\"n\", qop=\"auth\"\(charset)"
    #expect(
      try Self.answer(parameters, user: "žo\"fie").field.value
        .hasPrefix("Digest username=\"žo\\\"fie\", realm="))
  }

  @Test(arguments: [
    ("realm=\"a\\\"b\\\\c\", nonce=\"n\"", "realm=\"a\\\"b\\\\c\""),
    ("realm=\"\", nonce=\"n\"", "realm=\"\""), ("realm=r, nonce=n", "realm=\"r\""),
    ("realm=r, nonce=n", "nonce=\"n\""), ("realm=r, nonce=\"a\\\"b\"", "nonce=\"a\\\"b\""),
    ("realm=r, nonce=n, opaque=o", "opaque=\"o\""),
    ("realm=r, nonce=n, opaque=\"\"", "opaque=\"\""),
    ("realm=r, nonce=n, algorithm=\"md5\"", "algorithm=md5"),
    ("realm=r, nonce=n, qop=\"auth\"", "qop=auth"), ("realm=r, nonce=n, qop=auth", "nc=00000001"),
    ("realm=r, nonce=n, qop=auth-int", "qop=auth-int"),
    ("realm=r, nonce=n, qop=\"auth\"", "cnonce=\"c\""),
    ("realm=r, nonce=n, userhash=true", "userhash=true"),
    ("realm=r, nonce=n", "uri=\"/a?b=c\""),
  ])
  func `each part has the quotes that servers expect`(
    _ parameters: String, _ part: String
  ) throws {
    #expect(try Self.answer(parameters).field.value.contains(", \(part)"))
  }

  @Test(arguments: ["algorithm", "opaque", "qop", "nc=", "cnonce", "userhash", "username*"])
  func `what the server did not ask for is left out`(_ part: String) throws {
    #expect(try !Self.answer("realm=r, nonce=n").field.value.contains(part))
  }

  @Test(arguments: [
    ("https://www.example.test", "/"), ("https://www.example.test/", "/"),
    ("https://www.example.test?a", "/?a"), ("https://www.example.test/a%2fb?c%20#d", "/a%2fb?c%20"),
  ])
  func `uri is the request target as it is sent`(_ url: String, _ target: String) throws {
    #expect(try Self.answer(url: url).field.value.contains("uri=\"\(target)\""))
  }

  @Test(arguments: [
    (1, "00000001"), (10, "0000000a"), (0x1234_ABCD, "1234abcd"), (UInt32.max, "ffffffff"),
  ])
  func `nc has eight digits`(_ count: UInt32, _ text: String) throws {
    #expect(try Self.answer(count: count).field.value.contains("nc=\(text), "))
  }

  @Test func `every input changes the response`() throws {
    let qualities = ["auth", "auth-int"].map { "realm=r, nonce=n, qop=\($0)" }
    let responses = [
      try Self.answer(), try Self.answer(count: 2), try Self.answer(clientNonce: "d"),
      try Self.answer(url: "https://www.example.test/a"),
      try Self.answer("realm=r, nonce=m, qop=auth"), try Self.answer("realm=r, nonce=n"),
      try Self.answer(qualities[1]),
    ].map(\.response)
    #expect(Set(responses).count == responses.count)
    #expect(try Self.answer(qualities[0]).response == responses[0])
  }

  private static func isConfirmed(
    _ answer: DigestAnswer, _ info: String, body: String = "", coding: String? = nil
  ) throws -> Bool {
    let reply = HTTPReply(
      status: 200, fields: coding.map { [HTTPField("Content-Encoding", $0)] } ?? [],
      body: Array(body.utf8))
    return answer.isConfirmed(by: try #require(AuthenticationInfo([info])), reply)
  }

  @Test(arguments: [
    ("", true), ("nextnonce=\"x\"", true), ("rspauth=\"RIGHT\"", true), ("rspauth=RIGHT", true),
    ("rspauth=\"CAPITALS\", qop=auth", true), ("qop=\"auth\", rspauth=\"RIGHT\"", true),
    ("rspauth=\"RIGHT\", cnonce=\"c\", nc=00000001, qop=auth", true),
    ("rspauth=\"RIGHT\", nc=\"00000001\"", true),
    ("rspauth=\"\"", false), ("rspauth=\"REQUEST\"", false), ("rspauth=\"RIGHT0\"", false),
    ("rspauth=\"RIGHT\", cnonce=\"d\"", false), ("cnonce=\"d\"", false),
    ("rspauth=\"RIGHT\", nc=00000002", false), ("nc=00000002", false),
    ("rspauth=\"RIGHT\", qop=auth-int", false), ("rspauth=\"RIGHT\", qop=token", false),
    ("rspauth=\"INTEGRITY\", qop=auth-int", true), ("rspauth=\"INTEGRITY\"", false),
  ])
  func `a reply must not prove the wrong thing`(_ info: String, _ expected: Bool) throws {
    let answer = try Self.answer()
    let right = answer.proof(body: [], quality: .authentication)
    let values = [
      ("RIGHT", right), ("CAPITALS", right.uppercased()), ("REQUEST", answer.response),
      ("INTEGRITY", answer.proof(body: Array("b".utf8), quality: .integrity)),
    ]
    let text = values.reduce(info) { text, value in
      text.split(separator: value.0, omittingEmptySubsequences: false).joined(separator: value.1)
    }
    #expect(try Self.isConfirmed(answer, text, body: "b") == expected)
  }

  @Test(arguments: [
    ("done", nil as String?, true), ("done", "identity", true), ("changed", nil, false),
    ("", nil, false), ("done", "gzip", false),
  ])
  func `auth-int proves the body as it travelled`(
    _ body: String, _ coding: String?, _ expected: Bool
  ) throws {
    let answer = try Self.answer("realm=r, nonce=n, qop=auth-int")
    let proof = answer.proof(body: Array("done".utf8), quality: .integrity)
    let isConfirmed = try Self.isConfirmed(
      answer, "rspauth=\"\(proof)\"", body: body, coding: coding)
    #expect(isConfirmed == expected)
  }

  @Test func `an old server's proof has no quality`() throws {
    let answer = try Self.answer("realm=r, nonce=n")
    let proof = answer.proof(body: [], quality: nil)
    #expect(try Self.isConfirmed(answer, "rspauth=\"\(proof)\""))
    #expect(try !Self.isConfirmed(answer, "rspauth=\"\(proof)\", qop=auth"))
  }
}
