import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

struct PlainCodeTests {
  private typealias Server = PlainServer

  private func visiting(
    _ authentication: OAuth2Application.Authentication = .none
  ) throws -> Dialogue {
    var dialogue = Dialogue(
      try Server.method(.code(redirectURI: "app:/back"), authentication, user: "ada"))
    try dialogue.play([.answer(403)])
    return dialogue
  }

  @Test
  func `the check URL refuses first, then the page opens`() throws {
    let dialogue = try visiting()
    #expect(dialogue.requests.map { "\($0.method) \($0.url)" } == ["GET \(Server.check)"])
    let page = try IdentityServer.page(dialogue)
    #expect(dialogue.opened?.page.withoutQuery == "\(Server.site)/authorize")
    #expect(page["scope"] == nil && page["nonce"] == nil)
  }

  @Test
  func `the login continues after a restart, and knows how strangers were refused`() throws {
    // A dialog restores the machine from its record as soon as it opens a page.
    var dialogue = try visiting()
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    #expect(dialogue.requests.last?.field("Authorization") == "Bearer tok12345")
    try dialogue.hand(in: .reply(.answer(200)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.evidence == .check)
    #expect(outcome.person.userID == "ada")
    var check = Dialogue(outcome.proof.verification(jar: CookieJar()))
    #expect(check.ending([.answer(403)]) == "session.refused")
  }

  @Test
  func `an ID token of a server that nobody knows is not looked at`() throws {
    var dialogue = try visiting()
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    try dialogue.hand(in: .reply(IdentityServer.granted(idToken: "a.b.c")))
    #expect(ending(dialogue, [.reply(.answer(200))]) == "finish")
  }

  @Test(
    arguments: [
      (.basic(Secret("s3:cret")), "Basic YXBwOnMzJTNBY3JldA=="),
      (.rawBasic(Secret("s3:cret")), "Basic YXBwOnMzOmNyZXQ="), (.none, nil),
      (.post(Secret("s3:cret")), nil),
    ] as [(OAuth2Application.Authentication, String?)])
  func `an application shows who it is in one way`(
    _ authentication: OAuth2Application.Authentication, _ field: String?
  ) throws {
    var dialogue = try visiting(authentication)
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let request = try #require(dialogue.requests.last)
    #expect(request.field("Authorization") == field)
    #expect(request.text.contains("client_id=app") == (field == nil))
  }

  /// Two people would otherwise share one account that has the client's name.
  @Test(arguments: [HTTPReply.json(200, "{}"), .answer(404), .page()])
  func `a user whom no answer names is not logged in`(_ page: HTTPReply) throws {
    var dialogue = Dialogue(
      try Server.method(.code(redirectURI: "app:/back"), paths: ["authorize", "me"]))
    try dialogue.play([])
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    #expect(dialogue.requests.last?.url.description == "\(Server.site)/me")
    #expect {
      try dialogue.hand(in: .reply(page))
    } throws: {
      let error = $0 as? GatebookError
      return error?.code == .loginUnprovable && error?.setting == "user"
    }
    #expect(dialogue.outcome == nil)
  }

  @Test
  func `an application with a key signs an assertion for every request`() throws {
    let key = P256Key.generate()
    let pem =
      "-----BEGIN PRIVATE KEY-----\n"
      + key.pkcs8.withBytes { Base64.encode($0) } + "\n-----END PRIVATE KEY-----\n"
    var dialogue = try visiting(.privateKey(Secret(pem), keyID: "k1"))
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let body = try #require(FormFields(decoding: dialogue.requests.last?.body ?? []))
    #expect(
      body["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
    let assertion = try #require(body["client_assertion"])
    let token = try UnverifiedToken(assertion).verified(
      by: JSONWebKeySet([JSONWebKey(.elliptic(key.publicKey), id: "k1")]), allowing: [.es256])
    #expect(token.claims.facts["aud"] == .text("\(Server.site)/token"))
    #expect(token.claims.facts["iss"] == "app" && token.claims.facts["sub"] == "app")
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    try dialogue.hand(in: .reply(.answer(200)))
    let proof = try #require(dialogue.outcome?.proof)
    let read = try #require(SessionProofs.decode(method: "oauth2", record: proof.record))
    let requests = read.logOut(jar: CookieJar(), at: Dialogue.moment)
    let assertions = requests.compactMap {
      FormFields(decoding: $0.body)?["client_assertion"]
    }
    #expect(requests.count == 2)
    #expect(Set(assertions + [assertion]).count == 3)
  }
}
