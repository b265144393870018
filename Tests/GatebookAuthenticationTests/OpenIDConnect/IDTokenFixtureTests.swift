internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// Whole ID tokens that another program made and signed, with the hashes of its own.
struct IDTokenFixtureTests {
  private static let now = Timestamp(rawValue: 1_700_000_100_000_000)
  private let fixture: TokenFixture

  init() throws {
    fixture = try TokenFixture()
  }

  private func verdict(
    _ text: String, _ algorithms: Set<SignatureAlgorithm> = [.rs256], token: Secret?, code: Secret?
  ) throws -> IDTokenVerdict<IDTokenClaims> {
    let check = try IDTokenCheck(
      issuer: "https://issuer.example", clientID: "gatebook", algorithms: algorithms)
    let login = IDTokenAnswer.Login(
      nonce: "n-0S6_WzA2Mj", accessToken: token, code: code)
    return check.verdict(on: text, keys: try fixture.keys, with: .login(login), at: Self.now)
  }

  @Test(arguments: SignatureAlgorithm.allCases)
  func `the hashes are those that the algorithm names`(_ algorithm: SignatureAlgorithm) throws {
    let text = try fixture.token(algorithm)
    let (token, code) = try (fixture.accessToken, fixture.code)
    guard case .accepted(let claims) = try verdict(text, [algorithm], token: token, code: code)
    else {
      Issue.record("\(try verdict(text, [algorithm], token: token, code: code))")
      return
    }
    #expect(claims.subject == "248289761001")
    #expect(claims.expiry == Timestamp(rawValue: 1_700_003_600_500_000))
    #expect(claims.others.isEmpty)
    let other = Secret("other")
    #expect(
      try verdict(text, [algorithm], token: other, code: code) == .refused(.accessTokenHash))
    #expect(try verdict(text, [algorithm], token: nil, code: code) == .refused(.accessTokenHash))
    #expect(try verdict(text, [algorithm], token: token, code: other) == .refused(.codeHash))
    #expect(try verdict(text, [algorithm], token: token, code: nil) == .refused(.codeHash))
  }

  @Test
  func `RS256 alone is taken unless more is allowed`() throws {
    let (token, code) = try (fixture.accessToken, fixture.code)
    for algorithm in SignatureAlgorithm.allCases where algorithm != .rs256 {
      let text = try fixture.token(algorithm)
      #expect(
        try verdict(text, token: token, code: code) == .refused(.algorithm(algorithm.rawValue)))
    }
    let hmac = try fixture.refused("hmacWithPublicKey")
    #expect(try verdict(hmac, token: token, code: code) == .refused(.algorithm("HS256")))
  }

  @Test
  func `a token without a key's name is taken if one key alone fits`() throws {
    let (token, code) = try (fixture.accessToken, fixture.code)
    let text = try fixture.refused("noKeyID")
    // Two RSA keys fit.
    #expect(try verdict(text, token: token, code: code) == .unknownKey)
    let check = try IDTokenCheck(issuer: "https://issuer.example", clientID: "gatebook")
    let keys = JSONWebKeySet(try ["rsa", "weak", "p256"].map { try fixture.key($0) })
    let login = IDTokenAnswer.Login(nonce: "n-0S6_WzA2Mj", accessToken: token, code: code)
    guard case .accepted = check.verdict(on: text, keys: keys, with: .login(login), at: Self.now)
    else {
      Issue.record("it was refused")
      return
    }
  }

  @Test
  func `signed userinfo is taken for the same user alone`() throws {
    let check = try IDTokenCheck(issuer: "https://issuer.example", clientID: "gatebook")
    var claims = IDTokenClaims(
      issuer: "https://issuer.example", subject: "248289761001", audiences: ["gatebook"],
      expiry: Self.now, issuedAt: Self.now)
    let body = Array(try fixture.userInfo.utf8)
    let keys = try fixture.keys
    #expect(
      check.userInfo(body, keys: keys, of: claims, at: Self.now).told
        == .accepted(["name": "Jane"]))
    #expect(
      check.userInfo(body, keys: JSONWebKeySet([]), of: claims, at: Self.now) == .unknownKey)
    #expect(
      check.userInfo(
        Array(body.dropLast(4)) + Array("AAAA".utf8), keys: keys, of: claims, at: Self.now)
        == .refused(.token(.signature)))
    claims.subject = "other"
    #expect(
      check.userInfo(body, keys: keys, of: claims, at: Self.now) == .refused(.userInfoSubject))
  }
}
