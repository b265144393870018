internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// OpenID Connect Core 1.0 section 3.1.3.7: each rule, and the reason when it is broken.
struct IDTokenCheckTests {
  private static let now = Timestamp(rawValue: 1_700_000_100_000_000)
  private let mint: TokenMint

  init() throws {
    mint = try TokenMint()
  }

  private func check(
    otherAudiences: Set<String> = [], skew: Duration = .seconds(60), offset: Duration = .zero,
    maximumAge: Duration? = nil, ignoresUnexpectedNonce: Bool = false
  ) throws(GatebookError) -> IDTokenCheck {
    var rules = IDTokenRules()
    rules.clockSkew = skew
    rules.maximumAge = maximumAge
    rules.ignoresUnexpectedNonce = ignoresUnexpectedNonce
    return try IDTokenCheck(
      issuer: "https://issuer.example", clientID: "gatebook", algorithms: [.edDSA],
      otherAudiences: otherAudiences, rules: rules, offset: offset)
  }

  /// The reason of a refusal; `nil` if the token was accepted.
  private func refusal(
    _ changes: [String: String?], by check: IDTokenCheck,
    with login: IDTokenAnswer.Login = IDTokenAnswer.Login(nonce: nil), at now: Timestamp = now
  ) -> IDTokenRefusal? {
    switch check.verdict(
      on: mint.idToken(changes), keys: mint.keys, with: .login(login), at: now)
    {
    case .accepted: return nil
    case .unknownKey: return .token(.unknownKey)
    case .refused(let refusal): return refusal
    }
  }

  private static let longest = String(repeating: "\u{E9}", count: 255)
  private static let rows: [([String: String?], IDTokenRefusal?)] = [
    ([:], nil),
    // Step 5: issuer and subject.
    (["iss": nil], .issuerMissing), (["iss": "null"], .issuerMissing),
    (["iss": "1"], .malformed(.iss)),
    (["iss": #""https://issuer.example/""#], .issuer),
    (["iss": #""https://ISSUER.example""#], .issuer),
    (["iss": #""http://issuer.example""#], .issuer),
    (["iss": #"["https://issuer.example"]"#], .malformed(.iss)),
    (["sub": nil], .subjectMissing), (["sub": "null"], .subjectMissing),
    (["sub": #""""#], .subjectMissing), (["sub": "248289761001"], .malformed(.sub)),
    (["sub": "1.5"], .malformed(.sub)), (["sub": #"{"a":1}"#], .malformed(.sub)),
    (["sub": "\"\(longest)\""], nil), (["sub": "\"\(longest)x\""], .subjectTooLong),
    // Step 6: audience and authorised party.
    (["aud": nil], .audience), (["aud": "[]"], .audience), (["aud": "1"], .malformed(.aud)),
    (["aud": #"["gatebook",1]"#], .malformed(.aud)), (["aud": #""other""#], .audience),
    (["aud": #""Gatebook""#], .audience), (["aud": #""gatebook ""#], .audience),
    (["aud": #"["gatebook"]"#], nil), (["aud": #"["gatebook","gatebook"]"#], nil),
    (["aud": #"["gatebook","other"]"#], .audienceUntrusted(["other"])),
    (["aud": #"["gatebook","other"]"#, "azp": #""gatebook""#], .audienceUntrusted(["other"])),
    (["aud": #"["other","gatebook"]"#, "azp": #""other""#], .authorizedParty),
    (["aud": #"["gatebook","friend"]"#], nil), (["aud": #"["friend","gatebook"]"#], nil),
    (["aud": #"["gatebook","friend"]"#, "azp": #""friend""#], .authorizedParty),
    (["aud": #"["gatebook","friend"]"#, "azp": #""gatebook""#], nil),
    (
      ["aud": #"["gatebook","friend","other"]"#, "azp": #""gatebook""#],
      .audienceUntrusted(["other"])
    ),
    (["aud": #"["friend"]"#, "azp": #""gatebook""#], .audience),
    (["azp": #""gatebook""#], nil), (["azp": #""other""#], .authorizedParty),
    (["azp": #""friend""#], .authorizedParty), (["azp": "null"], nil),
    (["azp": "1"], .malformed(.azp)),
    // Step 7: times; the skew is 60 s, and now is 1700000100.
    (["exp": nil], .expiryMissing), (["exp": "null"], .expiryMissing),
    (["exp": #""1700003600""#], .malformed(.exp)), (["exp": "1700003600000"], .malformed(.exp)),
    (["exp": "1700000041"], nil), (["exp": "1700000040"], .expired),
    (["exp": "1700000040.5"], nil), (["exp": "1.70000004e9"], .expired), (["exp": "0"], .expired),
    (["iat": nil], .issuedAtMissing), (["iat": #""1700000000""#], .malformed(.iat)),
    (["iat": "1700000160"], nil), (["iat": "1700000160.5"], .issuedInFuture),
    (["iat": "1700000161"], .issuedInFuture), (["iat": "1.7e9"], nil), (["iat": "1"], nil),
    (["nbf": "1700000160"], nil), (["nbf": "1700000161"], .notYetValid),
    (["nbf": "null"], nil), (["nbf": #""1""#], .malformed(.nbf)),
    // Step 8, when nothing was asked.
    (["nonce": #""n""#], .nonceUnexpected), (["nonce": "1"], .malformed(.nonce)),
    (["auth_time": #""1""#], nil), (["auth_time": #""1700000000.5""#], nil),
    (["auth_time": "1.5"], nil), (["auth_time": #""""#], .malformed(.authTime)),
    (["auth_time": #""soon""#], .malformed(.authTime)),
    (["auth_time": #""0x10""#], .malformed(.authTime)),
    (["auth_time": #""1700000000000""#], .malformed(.authTime)),
    (["acr": "1"], nil), (["amr": #""pwd""#], nil),
    // Step 9, when nothing came along.
    (["at_hash": #""77QmUPtjPfzWtF2AnpK9RQ""#], .accessTokenHash), (["at_hash": "null"], nil),
    (["c_hash": #""LDktKdoQak3Pk0cnXxCltA""#], .codeHash),
    (["at_hash": "1"], .malformed(.atHash)), (["c_hash": "1"], .malformed(.cHash)),
  ]

  @Test(arguments: rows.indices)
  func `a claim that breaks a rule is refused for its own reason`(_ index: Int) throws {
    let (changes, expected) = Self.rows[index]
    let check = try check(otherAudiences: ["friend"])
    #expect(refusal(changes, by: check) == expected, "\(changes)")
  }

  @Test
  func `an accepted token tells everything`() throws {
    let changes = [
      "aud": #"["gatebook","friend"]"#, "azp": #""gatebook""#, "auth_time": "1699999000.5",
      "acr": #""2""#, "amr": #"["pwd","otp"]"#, "nonce": #""n""#, "email": #""a@b.example""#,
      "roles": #"["x"]"#, "sid": #""s""#, "jti": #""j""#,
    ]
    let verdict = try check(otherAudiences: ["friend"]).verdict(
      on: mint.idToken(changes), keys: mint.keys, with: .login(.init(nonce: "n")), at: Self.now)
    let claims = IDTokenClaims(
      issuer: "https://issuer.example", subject: "248289761001", audiences: ["gatebook", "friend"],
      authorizedParty: "gatebook", expiry: Timestamp(rawValue: 1_700_003_600_000_000),
      issuedAt: Timestamp(rawValue: 1_700_000_000_000_000),
      authenticatedAt: Timestamp(rawValue: 1_699_999_000_500_000), contextClass: "2",
      methods: ["pwd", "otp"], nonce: "n",
      others: ["email": "a@b.example", "roles": .list(["x"]), "sid": "s"])
    #expect(verdict == .accepted(claims))
    var stored = claims
    stored.others = [:]
    #expect(IDTokenClaims(record: claims.record) == stored)
  }

  @Test
  func `the measured offset and the skew move the times`() throws {
    let late = try check(offset: .seconds(-4000))
    #expect(refusal(["iat": "1699996000"], by: late) == nil)
    #expect(refusal([:], by: late) == .issuedInFuture)
    let early = try check(offset: .seconds(3560))
    #expect(refusal([:], by: early) == .expired)
    let exact = try check(skew: .zero)
    #expect(refusal(["exp": "1700000100"], by: exact) == .expired)
    #expect(refusal(["exp": "1700000101", "iat": "1700000100"], by: exact) == nil)
    #expect(refusal(["iat": "1700000101"], by: exact) == .issuedInFuture)
    let wide = try check(skew: .seconds(300))
    #expect(refusal(["exp": "1699999801"], by: wide) == nil)
  }

  @Test
  func `a token may be made no longer ago than the limit`() throws {
    let check = try check(maximumAge: .seconds(100))
    #expect(refusal(["iat": "1699999940"], by: check) == nil)
    #expect(refusal(["iat": "1699999939"], by: check) == .issuedTooLongAgo)
  }

  @Test(arguments: [Duration.seconds(-1), .seconds(301)])
  func `a skew beyond its limits is an error of the settings`(_ skew: Duration) {
    #expect(throws: GatebookError(.configurationInvalid, "", remedy: "")) {
      try check(skew: skew)
    }
  }

  @Test
  func `no algorithm at all is an error of the settings`() {
    #expect(throws: GatebookError(.configurationInvalid, "", remedy: "")) {
      try IDTokenCheck(issuer: "https://a.example", clientID: "b", algorithms: [])
    }
  }

  private static let logins: [([String: String?], IDTokenAnswer.Login, IDTokenRefusal?)] = [
    (["nonce": #""n""#], .init(nonce: "n"), nil), ([:], .init(nonce: "n"), .nonceMissing),
    (["nonce": "null"], .init(nonce: "n"), .nonceMissing),
    (["nonce": #""N""#], .init(nonce: "n"), .nonce),
    (["nonce": #""""#], .init(nonce: "n"), .nonce),
    (["nonce": #""e\u0301""#], .init(nonce: "\u{E9}"), .nonce),
    ([:], .init(nonce: nil, maximumAge: .zero), .authenticationTimeMissing),
    (["auth_time": "1700000040"], .init(nonce: nil, maximumAge: .zero), nil),
    (
      ["auth_time": "1700000039"], .init(nonce: nil, maximumAge: .zero), .authenticationTooLongAgo
    ),
    (["auth_time": "1699999940"], .init(nonce: nil, maximumAge: .seconds(100)), nil),
    (["auth_time": #""1699999940""#], .init(nonce: nil, maximumAge: .seconds(100)), nil),
    (
      ["auth_time": #""1699999939""#], .init(nonce: nil, maximumAge: .seconds(100)),
      .authenticationTooLongAgo
    ),
    (
      ["auth_time": "1699999939.5"], .init(nonce: nil, maximumAge: .seconds(100)),
      .authenticationTooLongAgo
    ),
    (["auth_time": "1700000160"], .init(nonce: nil, maximumAge: .seconds(9)), nil),
    (
      ["auth_time": "1700000161"], .init(nonce: nil, maximumAge: .seconds(9)),
      .authenticationInFuture
    ),
    (["acr": #""2""#], .init(nonce: nil, contextClasses: ["2", "3"]), nil),
    (["acr": #""1""#], .init(nonce: nil, contextClasses: ["2", "3"]), .contextClass),
    (["acr": "2"], .init(nonce: nil, contextClasses: ["2"]), .contextClass),
    ([:], .init(nonce: nil, contextClasses: ["2"]), .contextClass),
    ([:], .init(nonce: nil, accessToken: Secret("a"), code: Secret("c")), nil),
    (["at_hash": #""AAAA""#], .init(nonce: nil, accessToken: Secret("a")), .accessTokenHash),
    (["c_hash": #""AAAA""#], .init(nonce: nil, code: Secret("c")), .codeHash),
  ]

  @Test(arguments: logins.indices)
  func `what was asked for in a login must be answered`(_ index: Int) throws {
    let (changes, login, expected) = Self.logins[index]
    #expect(refusal(changes, by: try check(), with: login) == expected)
  }

  @Test
  func `a nonce that was not sent is let pass by setting`() throws {
    let check = try check(ignoresUnexpectedNonce: true)
    #expect(refusal(["nonce": #""n""#], by: check) == nil)
    #expect(refusal(["nonce": #""m""#], by: check, with: .init(nonce: "n")) == .nonce)
  }

  @Test
  func `a token that cannot be trusted is refused, one of an unknown key asks for the keys`() throws
  {
    let check = try check()
    func verdict(_ text: String) -> IDTokenVerdict<IDTokenClaims> {
      check.verdict(on: text, keys: mint.keys, with: .login(.init(nonce: nil)), at: Self.now)
    }
    #expect(verdict("a.b") == .refused(.token(.parts)))
    #expect(verdict("a.b.c.d.e") == .refused(.token(.encrypted)))
    #expect(verdict(mint.token("{}", header: #"{"alg":"none"}"#)) == .refused(.token(.unsigned)))
    #expect(
      verdict(mint.token("{}", header: #"{"alg":"EdDSA","kid":"new"}"#)) == .unknownKey)
    // The claims are not looked at before the signature.
    let forged = mint.idToken(["iss": #""https://evil.example""#]).dropLast(4) + "AAAA"
    #expect(verdict(String(forged)) == .refused(.token(.signature)))
  }
}
