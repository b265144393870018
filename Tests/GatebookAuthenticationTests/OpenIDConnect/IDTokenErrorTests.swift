internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

struct IDTokenErrorTests {
  @Test(arguments: JSONWebTokenRefusal.allCases)
  func `a token that cannot be trusted is an error that names the reason`(
    _ refusal: JSONWebTokenRefusal
  ) {
    let code: FailureCode =
      switch refusal {
      case .tooLong: .limitExceeded
      case .algorithm, .encrypted: .configurationInvalid
      default: .contentUnexpected
      }
    #expect(IDTokenRefusal.token(refusal).error.code == code)
    #expect(refusal.error.cause?.contains(refusal.rawValue) == true)
  }

  @Test(arguments: [
    ("PS512", "Allow the server's algorithm in the account's settings"),
    ("Ed25519", "Allow the server's algorithm in the account's settings"),
    ("HS256", "Register the client for RS256"), ("ES256K", "Register the client for RS256"),
  ])
  func `an algorithm that is not taken is named`(_ name: String, _ remedy: String) {
    let error = IDTokenRefusal.algorithm(name).error
    #expect(error.code == .configurationInvalid)
    #expect(error.message.contains("\(name), "))
    #expect(error.remedy.hasPrefix(remedy))
    #expect(error.setting == "tokenAlgorithms")
    #expect(error.cause == JSONWebTokenRefusal.algorithm.error.cause)
  }

  @Test(arguments: [
    (IDTokenRefusal.refreshedSubject, FailureCode.identityMismatch),
    (.userInfoSubject, .contentUnexpected), (.issuer, .contentUnexpected),
    (.expired, .contentUnexpected), (.malformed(.exp), .contentUnexpected),
    (.contextClass, .loginUnprovable), (.authenticationTimeMissing, .loginUnprovable),
    (.authenticationTooLongAgo, .loginUnprovable), (.nonce, .contentUnexpected),
    (.codeHash, .contentUnexpected), (.refreshedNonce, .contentUnexpected),
  ])
  func `a broken rule is an error that names it`(_ refusal: IDTokenRefusal, _ code: FailureCode) {
    #expect(refusal.error.code == code)
    #expect(refusal.error.cause == "ID token: \(refusal.reason)")
  }

  @Test(arguments: [
    (["other"], "; it names other"),
    (["a", "https://api.example"], "; it names a, https://api.example"),
    (["\u{1B}[2J"], ""), ([String(repeating: "x", count: 201)], ""),
  ])
  func `audiences that are not trusted are named, with the setting that trusts them`(
    _ names: [String], _ told: String
  ) {
    let error = IDTokenRefusal.audienceUntrusted(names).error
    #expect(error.code == .contentUnexpected)
    #expect(error.setting == "trustedAudiences")
    #expect(error.remedy.contains("trustedAudiences"))
    #expect(error.cause == "ID token: aud untrusted\(told)")
    #expect(error.fault == "idToken.aud-untrusted")
  }

  @Test
  func `no two rules have the same reason`() {
    let refusals: [IDTokenRefusal] = [
      .malformed(.iss), .malformed(.exp), .issuer, .subjectMissing, .subjectTooLong, .audience,
      .audienceUntrusted(["other"]), .authorizedParty, .expiryMissing, .expired,
      .issuedAtMissing, .issuedInFuture, .issuedTooLongAgo, .notYetValid, .nonceMissing, .nonce,
      .nonceUnexpected, .authenticationTimeMissing, .authenticationTooLongAgo,
      .authenticationInFuture, .contextClass, .accessTokenHash,
      .codeHash, .refreshedSubject, .refreshedAuthorizedParty,
      .refreshedAuthenticationTime, .refreshedNonce, .refreshedBeforeFirst, .userInfo,
      .userInfoSubject,
    ]
    #expect(Set(refusals.map(\.reason)).count == refusals.count)
    let codes = (refusals + JSONWebTokenRefusal.allCases.map { .token($0) }).map(\.code)
    #expect(Set(codes).count == codes.count)
    for code in codes {
      let isPlain = code.wholeMatch(of: /[a-z0-9_.-]{1,64}/) != nil
      #expect(isPlain, "\(code)")
    }
  }
}
