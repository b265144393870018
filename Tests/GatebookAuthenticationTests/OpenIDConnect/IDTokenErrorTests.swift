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
    (IDTokenRefusal.refreshedSubject, FailureCode.identityMismatch),
    (.userInfoSubject, .identityMismatch), (.issuer, .contentUnexpected),
    (.expired, .contentUnexpected), (.malformed(.exp), .contentUnexpected),
    (.contextClass, .contentUnexpected), (.nonce, .contentUnexpected),
    (.codeHash, .contentUnexpected), (.refreshedNonce, .contentUnexpected),
  ])
  func `a broken rule is an error that names it`(_ refusal: IDTokenRefusal, _ code: FailureCode) {
    #expect(refusal.error.code == code)
    #expect(refusal.error.cause == "ID token: \(refusal.reason)")
  }

  @Test
  func `no two rules have the same reason`() {
    let refusals: [IDTokenRefusal] = [
      .malformed(.iss), .malformed(.exp), .issuer, .subjectMissing, .subjectTooLong, .audience,
      .audienceUntrusted, .authorizedPartyMissing, .authorizedParty, .expiryMissing, .expired,
      .issuedAtMissing, .issuedInFuture, .issuedTooLongAgo, .notYetValid, .nonceMissing, .nonce,
      .nonceUnexpected, .authenticationTimeMissing, .authenticationTooLongAgo,
      .authenticationInFuture, .contextClass, .accessTokenHashMissing, .accessTokenHash,
      .codeHashMissing, .codeHash, .refreshedSubject, .refreshedAuthorizedParty,
      .refreshedAuthenticationTime, .refreshedNonce, .refreshedBeforeFirst, .userInfo,
      .userInfoSubject,
    ]
    #expect(Set(refusals.map(\.reason)).count == refusals.count)
  }
}
