internal import GatebookAuthentication
internal import GatebookCrypto
internal import GatebookEvents
internal import Testing

/// OpenID Connect Core 1.0 section 12.2: what a refresh must not change.
struct IDTokenRefreshTests {
  private static let now = Timestamp(rawValue: 1_700_000_100_000_000)
  private let mint: TokenMint

  init() throws {
    mint = try TokenMint()
  }

  private static func first(
    azp: String? = nil, authTime: Int64? = nil, nonce: String? = nil
  ) -> IDTokenClaims {
    IDTokenClaims(
      issuer: "https://issuer.example", subject: "248289761001", audiences: ["gatebook"],
      authorizedParty: azp, expiry: Timestamp(rawValue: 1_700_000_050_000_000),
      issuedAt: Timestamp(rawValue: 1_699_999_000_000_000),
      authenticatedAt: authTime.map { Timestamp(rawValue: $0 * 1_000_000) }, nonce: nonce)
  }

  private static let rows: [(IDTokenClaims, [String: String?], IDTokenRefusal?)] = [
    (first(), [:], nil),
    (first(), ["sub": #""other""#], .refreshedSubject),
    (first(), ["iss": #""https://other.example""#], .issuer),
    (first(), ["aud": #""other""#], .audience),
    (first(), ["azp": #""gatebook""#], .refreshedAuthorizedParty),
    (first(azp: "gatebook"), ["azp": #""gatebook""#], nil),
    (first(azp: "gatebook"), [:], .refreshedAuthorizedParty),
    (first(authTime: 1_699_999_000), ["auth_time": "1699999000"], nil),
    (first(authTime: 1_699_999_000), ["auth_time": "1699999000.0"], nil),
    (first(authTime: 1_699_999_000), ["auth_time": "1699999001"], .refreshedAuthenticationTime),
    (first(authTime: 1_699_999_000), [:], nil),
    (first(), ["auth_time": "1699999000"], nil),
    (first(nonce: "n"), [:], nil), (first(nonce: "n"), ["nonce": #""n""#], nil),
    (first(nonce: "n"), ["nonce": #""m""#], .refreshedNonce),
    (first(), ["nonce": #""n""#], .refreshedNonce),
    (first(), ["iat": "1699999000"], nil), (first(), ["iat": "1698999999"], .refreshedBeforeFirst),
    (first(), ["exp": "1700000040"], .expired),
    (first(), ["at_hash": #""AAAA""#], .accessTokenHash), (first(), ["c_hash": #""AAAA""#], nil),
  ]

  @Test(arguments: rows.indices)
  func `a refreshed token is compared with the first one`(_ index: Int) throws {
    let (first, changes, expected) = Self.rows[index]
    let check = try IDTokenCheck(
      issuer: "https://issuer.example", clientID: "gatebook", algorithms: [.edDSA])
    let verdict = check.verdict(
      on: mint.idToken(changes), keys: mint.keys,
      with: .refresh(first: first, accessToken: Secret("a")), at: Self.now)
    switch verdict {
    case .accepted: #expect(expected == nil)
    case .unknownKey: Issue.record("the key is known")
    case .refused(let refusal): #expect(refusal == expected)
    }
  }

  @Test
  func `the first token of another issuer is no match`() throws {
    var first = Self.first()
    first.issuer = "https://former.example"
    let check = try IDTokenCheck(
      issuer: "https://issuer.example", clientID: "gatebook", algorithms: [.edDSA])
    let verdict = check.verdict(
      on: mint.idToken(), keys: mint.keys, with: .refresh(first: first, accessToken: nil),
      at: Self.now)
    #expect(verdict == .refused(.refreshedIssuer))
  }
}
