import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

struct OAuth2ProofTests {
  private typealias Server = PlainServer

  private func proof(_ granted: HTTPReply = IdentityServer.granted()) throws -> any SessionProof {
    let proof = try Server.outcome(granted: granted).proof
    return try #require(SessionProofs.decode(method: "oauth2", record: proof.record))
  }

  private func challenge(_ status: Int, _ value: String) -> HTTPReply {
    .answer(status, ["WWW-Authenticate": value])
  }

  @Test
  func `a request gets the token and no cookies`() throws {
    let proof = try proof()
    var request = HTTPRequest.get(try .at("https://api.example.test/x"))
    request.fields = [HTTPField("authorization", "Basic eDp5"), HTTPField("Cookie", "a=b")]
    let sent = proof.authorise(request, jar: CookieJar(), at: Dialogue.moment)
    #expect(sent.fields.values(of: "Authorization") == ["Bearer tok12345"])
    #expect(sent.field("Cookie") == "a=b")
    #expect(!proof.keepsCookies)
  }

  @Test
  func `a refusal of the token is distinguished from other refusals`() throws {
    let proof = try proof()
    let request = HTTPRequest.get(try .at("https://api.example.test/x"))
    let lost: [HTTPReply] = [
      .answer(401), challenge(401, "Bearer error=\"invalid_token\""),
      challenge(401, "Basic realm=\"x\""), .json(401, "{\"error\":\"missing_authorization\"}"),
      challenge(403, "Bearer error=\"invalid_token\""),
      challenge(400, "Bearer error=\"invalid_token\""), .json(403, "{\"error\":\"invalid_token\"}"),
    ]
    for reply in lost { #expect(proof.judge(reply, to: request) == .authorityLost) }
    let other: [HTTPReply] = [
      .answer(200), .answer(403), .answer(400), .answer(404), .answer(500), .answer(503),
      challenge(403, "Bearer error=\"insufficient_scope\", scope=\"admin\""),
      .json(400, "{\"error\":\"access_denied\"}"),
      challenge(401, "Bearer error=\"insufficient_user_authentication\", acr_values=\"a\""),
      .json(500, "{\"error\":\"invalid_token\"}"),
    ]
    for reply in other { #expect(proof.judge(reply, to: request) == .unaffected) }
  }

  @Test
  func `it is renewed from four fifths of its life on`() throws {
    let proof = try proof()
    for (age, isDue, isUrgent, isUsable) in [
      (479, false, false, true), (480, true, false, true), (540, true, false, true),
      (541, true, true, true), (599, true, true, true), (600, true, true, false),
    ] {
      #expect(proof.needsRenewal(atAge: .seconds(age)) == isDue)
      #expect(proof.isRenewalUrgent(atAge: .seconds(age)) == isUrgent)
      #expect(proof.isUsable(atAge: .seconds(age)) == isUsable)
    }
    #expect(proof.isSingleUse)
    #expect(proof.fingerprinted == Secret("rabbit-refresh"))
  }

  @Test
  func `a life that nobody knows is not over`() throws {
    let proof = try proof(IdentityServer.granted(["expires_in": nil]))
    #expect(!proof.needsRenewal(atAge: .seconds(1_000_000)))
    #expect(proof.isUsable(atAge: .seconds(1_000_000)))
  }

  @Test
  func `without a refresh token nothing renews a person's session`() throws {
    let proof = try proof(IdentityServer.granted(["refresh_token": nil]))
    #expect(proof.renewal(jar: CookieJar()) == nil)
    #expect(!proof.isSingleUse)
    #expect(!proof.needsRenewal(atAge: .seconds(599)))
    #expect(proof.fingerprinted == Secret("tok12345"))
  }

  @Test
  func `a logout revokes the refresh token first, then the access token`() throws {
    let requests = try proof().logOut(jar: CookieJar(), at: Dialogue.moment)
    #expect(requests.allSatisfy { "\($0.url)" == "\(Server.site)/revoke" && $0.method == "POST" })
    let bodies = requests.compactMap { FormFields(decoding: $0.body) }
    #expect(bodies.map { $0["token"] } == ["rabbit-refresh", "tok12345"])
    #expect(bodies.map { $0["token_type_hint"] } == ["refresh_token", "access_token"])
    #expect(bodies.allSatisfy { $0["client_id"] == "app" })
  }

  @Test
  func `without an endpoint there is nothing to revoke`() throws {
    let proof = try Server.outcome(Server.method(paths: [])).proof
    #expect(proof.logOut(jar: CookieJar(), at: Dialogue.moment).isEmpty)
  }

  @Test(arguments: [
    (HTTPReply.answer(200), true), (.json(200, "{}"), true),
    (.json(400, "{\"error\":\"unsupported_token_type\"}"), true),
    (.json(400, "{\"error\":\"invalid_request\"}"), false), (.answer(400), false),
    (.page(200, "<!doctype html>"), true),
    (.answer(200, ["Content-Type": "text/html"]), true), (.page(200, "OK"), true),
    (.redirect(to: "http://portal.example.test/"), false),
    (.answer(401), false), (.answer(404), false), (.answer(429), false), (.answer(503), false),
  ])
  func `what ends a revocation`(_ reply: HTTPReply, _ isEnd: Bool) throws {
    #expect(try proof().hasEnded(reply) == isEnd)
  }

  @Test
  func `a record that lost a field is read by no proof`() throws {
    let record = try Server.outcome().proof.record
    for name in record.names {
      var lost = record
      lost[name] = nil
      #expect(SessionProofs.decode(method: "oauth2", record: lost) == nil, "\(name)")
    }
  }

  @Test
  func `nothing that is secret is printed`() throws {
    let outcome = try Server.outcome()
    for text in [
      String(describing: outcome.proof), String(reflecting: outcome.proof),
      String(describing: outcome.credentials),
    ] {
      for secret in ["tok12345", "rabbit", "s3cret-word"] { #expect(!text.contains(secret)) }
    }
  }
}
