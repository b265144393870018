import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// ID tokens that come with a refresh.
struct RefreshedIDTokenTests {
  private func refreshed() throws -> Dialogue {
    try .renewal(of: IdentityServer.outcome().proof, at: .earlier(-60))
  }

  private func renewed(_ claims: [String: String?]) throws -> Dialogue {
    var dialogue = try refreshed()
    let token = try TokenMint().idToken(claims)
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    return dialogue
  }

  @Test
  func `an ID token of the same user changes nothing`() throws {
    let outcome = try #require(try renewed([:]).outcome)
    #expect(outcome.person.userID == "248289761001")
    #expect(outcome.person == (try IdentityServer.outcome().person))
    #expect(outcome.refusedIDToken == nil)
  }

  @Test(arguments: [["sub": "\"another\""], ["iss": "\"https://other.example\""]])
  func `an ID token of another user is refused`(_ claims: [String: String?]) throws {
    let dialogue = try refreshed()
    let token = try TokenMint().idToken(claims)
    #expect(
      ending(dialogue, [.reply(IdentityServer.granted(idToken: token))]) == "identity.mismatch")
  }

  @Test(arguments: [
    ["aud": "\"other\""], ["exp": "1600000000"], ["iat": "1600000000"], ["nonce": "\"other\""],
    ["iss": nil],
  ])
  func `one that does not hold costs nobody the tokens`(_ claims: [String: String?]) throws {
    let outcome = try #require(try renewed(claims).outcome)
    #expect(outcome.proof.bearer(since: Dialogue.moment.wall)?.value == Secret("tok12345"))
    #expect(outcome.refusedIDToken != nil)
  }

  @Test
  func `one with a new key is checked when the keys are there`() throws {
    var dialogue = try refreshed()
    let header = #"{"alg":"EdDSA","kid":"new"}"#
    let claims =
      #"{"iss":"https://issuer.example","sub":"another","aud":"gatebook","exp":1700003600,"#
      + #""iat":1700000000}"#
    let token = try TokenMint().token(claims, header: header)
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    let outcome = try #require(dialogue.outcome)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    var check = Dialogue(proof.verification(jar: CookieJar()))
    try check.play([])
    #expect(check.requests.last?.url.description == "https://issuer.example/keys")
    #expect(
      ending(check, [.reply(try IdentityServer.keys(id: "new"))]) == "identity.mismatch")
    #expect(ending(check, [.reply(.answer(503))]) == "GET https://issuer.example/me")
    #expect(ending(check, [.failure(Dialogue.lost)]) == "GET https://issuer.example/me")
    #expect(
      ending(check, [.reply(try IdentityServer.keys())]) == "GET https://issuer.example/me")
  }

  @Test(arguments: [
    ("as it was", "finish"), ("aud", "login.unprovable"), ("exp", "login.unprovable"),
  ])
  func `where nothing else proves a session, one that does not hold is no proof`(
    _ broken: String, _ end: String
  ) throws {
    let metadata = IdentityServer.metadata(["userinfo_endpoint": nil])
    let login = try IdentityServer.outcome(metadata: metadata).proof
    var dialogue = try Dialogue.renewal(of: login, at: .earlier(-60))
    let audience = broken == "aud" ? "other" : "gatebook"
    let expiry = broken == "exp" ? 1_600_000_000 : 1_700_003_600
    let claims =
      #"{"iss":"https://issuer.example","sub":"248289761001","aud":"\#(audience)","#
      + #""exp":\#(expiry),"iat":1700000000}"#
    let token = try TokenMint().token(claims, header: #"{"alg":"EdDSA","kid":"new"}"#)
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    let record = try #require(dialogue.outcome).proof.record
    let proof = try #require(SessionProofs.decode(method: "oidc", record: record))
    var check = Dialogue(proof.verification(jar: CookieJar()))
    try check.play([])
    #expect(ending(check, [.reply(try IdentityServer.keys(id: "new"))]) == end)
  }

  /// Some servers give no ID token for a password or a device's code, but one with each refresh.
  @Test(arguments: ["248289761001", "another"])
  func `an ID token that comes first with a refresh is the account's, too`(
    _ subject: String
  ) throws {
    var login = Dialogue(try IdentityServer.method(.password(user: "jane", Secret("x"))))
    try login.play([
      IdentityServer.metadata(), IdentityServer.granted(), IdentityServer.userInfo,
    ])
    var dialogue = try Dialogue.renewal(of: try #require(login.outcome?.proof))
    let token = try TokenMint().idToken(["sub": "\"\(subject)\"", "nonce": nil])
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: token)))
    let outcome = try #require(dialogue.outcome)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    var check = Dialogue(proof.verification(jar: CookieJar()))
    try check.play([])
    #expect(check.requests.last?.url.description == "https://issuer.example/keys")
    #expect(
      ending(check, [.reply(try IdentityServer.keys())])
        == (subject == "another" ? "identity.mismatch" : "GET https://issuer.example/me"))
    #expect(ending(check, [.reply(.answer(503))]) == "GET https://issuer.example/me")
  }
}
