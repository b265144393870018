internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// OpenID Connect Core 1.0 section 5.3.
struct UserInfoTests {
  private static let now = Timestamp(rawValue: 1_700_000_100_000_000)
  private static let claims = IDTokenClaims(
    issuer: "https://issuer.example", subject: "248289761001", audiences: ["gatebook"],
    expiry: now, issuedAt: now)
  private let mint: TokenMint

  init() throws {
    mint = try TokenMint()
  }

  private func verdict(_ body: String) throws -> IDTokenVerdict<Facts> {
    try IDTokenCheck(
      issuer: "https://issuer.example", clientID: "gatebook", algorithms: [.edDSA]
    ).userInfo(Array(body.utf8), keys: mint.keys, of: Self.claims, at: Self.now).told
  }

  @Test(arguments: [
    #"{"sub":"other","name":"Jane"}"#, #"{"sub":"248289761001 "}"#,
  ])
  func `userinfo of anybody else is dropped as a whole`(_ body: String) throws {
    #expect(try verdict(body) == .refused(.userInfoSubject))
  }

  @Test(arguments: [
    #"{"name":"Jane"}"#, #"{"sub":248289761001}"#, #"{"sub":null}"#,
    #"{"sub":["248289761001"]}"#, #"{"sub":""}"#, "{}",
  ])
  func `userinfo of nobody is dropped too, and is not another user's`(_ body: String) throws {
    #expect(try verdict(body) == .refused(.userInfo))
  }

  @Test(arguments: [
    "{", #"{"sub":"248289761001","sub":"248289761001"}"#, "<html>", "[]", "<html>a.b.c</html>",
  ])
  func `broken JSON and the page of a strange network are no userinfo`(_ body: String) throws {
    #expect(try verdict(body) == .refused(.userInfo))
  }

  @Test(arguments: [
    ("", IDTokenRefusal.token(.parts)), ("ab.c", .token(.parts)),
    ("a.b.c.d.e", .token(.encrypted)),
  ])
  func `anything else is no token`(_ body: String, _ refusal: IDTokenRefusal) throws {
    #expect(try verdict(body) == .refused(refusal))
  }

  @Test
  func `plain userinfo tells about the user`() throws {
    let body = #" {"sub":"248289761001","name":"Jane","updated_at":1.5,"address":{"a":"b"}} "#
    #expect(
      try verdict(body)
        == .accepted(["name": "Jane", "updated_at": "1.5", "address": .object(["a": "b"])]))
  }

  @Test(arguments: [
    (#"{"sub":"248289761001","name":"Jane"}"#, nil),
    (#"{"sub":"248289761001","name":"Jane","aud":["gatebook","x"],"exp":1700000041}"#, nil),
    (#"{"sub":"248289761001","iss":"https://other.example"}"#, IDTokenRefusal.issuer),
    (#"{"sub":"248289761001","iss":1}"#, .malformed(.iss)),
    (#"{"sub":"248289761001","aud":"other"}"#, .audience),
    (#"{"sub":"248289761001","aud":1}"#, .malformed(.aud)),
    (#"{"sub":"248289761001","exp":1700000040}"#, .expired),
    (#"{"sub":"248289761001","iat":1700000161}"#, .issuedInFuture),
    (#"{"sub":"248289761001","nbf":1700000161}"#, .notYetValid),
    (#"{"sub":"other"}"#, .userInfoSubject),
  ])
  func `signed userinfo keeps the rules of the claims that it has`(
    _ content: String, _ refusal: IDTokenRefusal?
  ) throws {
    let verdict = try verdict(mint.token(content))
    #expect(verdict == (refusal.map { .refused($0) } ?? .accepted(["name": "Jane"])))
  }

  @Test(arguments: ["\n", "\r\n", " ", "\n\n\t"])
  func `signed userinfo may have a line feed at its end`(_ end: String) throws {
    let token = mint.token(#"{"sub":"248289761001","name":"Jane"}"#)
    #expect(try verdict(token + end) == .accepted(["name": "Jane"]))
    #expect(try verdict(String(token.dropLast(9)) + end) != .accepted(["name": "Jane"]))
    #expect(try verdict("\(token)\(end)x") == .refused(.userInfo))
  }
}

extension IDTokenVerdict<NamedUser> {
  /// What is said about the user.
  var told: IDTokenVerdict<Facts> {
    switch self {
    case .accepted(let user): .accepted(user.facts)
    case .unknownKey: .unknownKey
    case .refused(let refusal): .refused(refusal)
    }
  }
}
