import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookAuthentication

struct BoundTokenTests {
  private typealias Server = PlainServer

  private static let granted = IdentityServer.granted(["token_type": "\"DPoP\""])
  private static func nonce(_ status: Int, _ value: String) -> HTTPReply {
    .answer(
      status,
      ["DPoP-Nonce": value, "WWW-Authenticate": "DPoP error=\"use_dpop_nonce\""],
      body: status == 400 ? "{\"error\":\"use_dpop_nonce\"}" : "")
  }

  private func login() throws -> Dialogue {
    var dialogue = Dialogue(try Server.method(bindsTokens: true))
    try dialogue.play([.answer(401)])
    return dialogue
  }

  private func outcome() throws -> Outcome {
    var dialogue = try login()
    try dialogue.hand(in: .reply(Self.granted))
    try dialogue.hand(in: .reply(.answer(200)))
    return try #require(dialogue.outcome)
  }

  /// The claims of a request's proof, whose signature is its own key's.
  private func claims(_ request: HTTPRequest?) throws -> Facts {
    let text = try #require(request?.field("DPoP"))
    let header = try #require(text.split(separator: ".").first.flatMap { Base64URL.decode($0) })
    let key = try #require(
      Facts(decoding: header)?["jwk"]?.object.flatMap { JSONWebKey($0) })
    return try UnverifiedToken(text).verified(
      by: JSONWebKeySet([key]), allowing: [.es256]
    ).claims.facts
  }

  @Test
  func `every request with the token carries a proof of the account's key`() throws {
    var dialogue = try login()
    let asked = try claims(dialogue.requests.last)
    #expect(asked["htm"] == "POST" && asked["htu"] == .text("\(Server.site)/token"))
    #expect(asked["ath"] == nil && asked["nonce"] == nil)
    try dialogue.hand(in: .reply(Self.granted))
    #expect(dialogue.requests.last?.field("Authorization") == "DPoP tok12345")
    let checked = try claims(dialogue.requests.last)
    #expect(checked["htm"] == "GET" && checked["htu"] == .text(Server.check))
    #expect(
      checked["ath"] == .text(Base64URL.encode(SHA256().hash(Array("tok12345".utf8)))))
    #expect(dialogue.requests.first?.field("DPoP") == nil)
  }

  @Test
  func `a server that binds no tokens is accepted, and that is recorded`() throws {
    var dialogue = try login()
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    #expect(dialogue.requests.last?.field("Authorization") == "Bearer tok12345")
    try dialogue.hand(in: .reply(.answer(200)))
    #expect(try #require(dialogue.outcome).isUnbound)
    #expect(try !outcome().isUnbound)
    #expect(try !Server.outcome().isUnbound)
    // Also where a renewal alone lacks the binding.
    var renewal = Dialogue(try #require(try outcome().proof.renewal(jar: CookieJar())))
    try renewal.play([IdentityServer.granted()])
    #expect(try #require(renewal.outcome).isUnbound)
  }

  @Test(arguments: ["\"next\"", nil])
  func `where the binding is demanded, a renewal without it brings its refresh token alone`(
    _ refresh: String?
  ) throws {
    var application = OAuth2Application(clientID: "app")
    application.bindsTokens = true
    application.demandsBoundTokens = true
    let login = try Server.outcome(
      .oauth2(
        tokenURL: try .at("\(Server.site)/token"), try Server.server(["revoke"]),
        application: application, flow: .password(user: "ada", Secret("s3cret-word")),
        checkURL: try .at(Server.check)), granted: Self.granted)
    var renewal = try Dialogue.renewal(of: login.proof)
    let bearer = IdentityServer.granted([
      "access_token": "\"anybodys\"", "refresh_token": refresh,
    ])
    guard refresh != nil else {
      #expect(ending(renewal, [.reply(bearer)]) == "configuration.invalid")
      return
    }
    try renewal.hand(in: .reply(bearer))
    let outcome = try #require(renewal.outcome)
    #expect(outcome.partialRenewal?.code == .configurationInvalid)
    #expect(outcome.unfitForLogin?.code == .configurationInvalid)
    #expect(outcome.proof.fingerprinted == Secret("next"))
    #expect(!outcome.isUnbound)
    let request = outcome.proof.authorise(
      .get(try .at(Server.check)), jar: CookieJar(), at: Dialogue.moment,
      random: [UInt8](repeating: 1, count: 64))
    #expect(request.field("Authorization") == "DPoP tok12345")
  }

  @Test
  func `an application that demands the binding does not take other tokens`() throws {
    var application = OAuth2Application(clientID: "app")
    application.bindsTokens = true
    application.demandsBoundTokens = true
    let method = LoginMethod.oauth2(
      tokenURL: try .at("\(Server.site)/token"), try Server.server(["revoke"]),
      application: application, flow: .password(user: "ada", Secret("s3cret-word")),
      checkURL: try .at(Server.check))
    var machine = method.authenticator()
    func hand(_ happening: Input.Happening) throws(GatebookError) {
      _ = try machine.next(
        Input(happening, at: Dialogue.moment, random: [UInt8](repeating: 7, count: 64)))
    }
    try hand(.start)
    try hand(.reply(.answer(401)))
    #expect(machine.unclaimed == nil)
    let error = #expect(throws: GatebookError.self) {
      try hand(.reply(IdentityServer.granted()))
    }
    #expect(error?.code == .configurationInvalid)
    #expect(machine.unclaimed?.logOut(jar: CookieJar(), at: Dialogue.moment).count == 2)
    var bound = Dialogue(method)
    #expect(bound.ending([.answer(401), Self.granted, .answer(200)]) == "finish")
    application.bindsTokens = false
    var wrong = Dialogue(
      .oauth2(
        tokenURL: try .at("\(Server.site)/token"), OAuth2Server(), application: application,
        flow: .password(user: "ada", Secret("s3cret-word")), checkURL: try .at(Server.check)))
    #expect(wrong.ending([]) == "configuration.invalid")
  }

  @Test
  func `a nonce that the token endpoint wants is given once`() throws {
    let dialogue = try login()
    let first = Input.Happening.reply(Self.nonce(400, "n1"))
    #expect(ending(dialogue, [first]) == "POST \(Server.site)/token")
    var again = dialogue
    try again.hand(in: first)
    #expect(try claims(again.requests.last)["nonce"] == "n1")
    #expect(ending(dialogue, [first, first]) == "server.refused")
    #expect(
      ending(dialogue, [first, .reply(Self.granted)]) == "GET \(Server.check)")
  }

  @Test
  func `a nonce that a resource wants is learnt, and kept for its origin`() throws {
    let proof = try outcome().proof
    let url = try HTTPURL.at("https://api.example.test/x?y=1")
    let sent = proof.authorise(.get(url), jar: CookieJar(), at: Dialogue.moment)
    #expect(try claims(sent)["htu"] == "https://api.example.test/x")
    let verdict = proof.judge(Self.nonce(401, "n2"), to: sent)
    guard case .corrected(let record) = verdict else {
      Issue.record("it learnt nothing")
      return
    }
    let corrected = try #require(SessionProofs.decode(method: "oauth2", record: record))
    let next = corrected.authorise(.get(url), jar: CookieJar(), at: Dialogue.moment)
    #expect(try claims(next)["nonce"] == "n2")
    // The same nonce again is no news: then the token is what was refused.
    #expect(corrected.judge(Self.nonce(401, "n2"), to: next) == .authorityLost)
    let other = try HTTPURL.at("https://other.example.test/")
    let elsewhere = corrected.authorise(.get(other), jar: CookieJar(), at: Dialogue.moment)
    #expect(try claims(elsewhere)["nonce"] == nil)
  }

  @Test
  func `a nonce that comes with any answer is for the next proof`() throws {
    let proof = try outcome().proof
    let url = try HTTPURL.at("https://api.example.test/x")
    let sent = proof.authorise(.get(url), jar: CookieJar(), at: Dialogue.moment)
    for status in [200, 404, 503] {
      let reply = HTTPReply.answer(status, ["DPoP-Nonce": "n9"])
      let taught = try #require(proof.learning(from: reply, to: sent))
      let next = taught.authorise(.get(url), jar: CookieJar(), at: Dialogue.moment)
      #expect(try claims(next)["nonce"] == "n9")
      #expect(taught.learning(from: reply, to: next) == nil, "it is known")
    }
    #expect(proof.learning(from: .answer(200), to: sent) == nil)
    #expect(
      try Server.outcome().proof.learning(from: .answer(200, ["DPoP-Nonce": "n"]), to: sent) == nil)
    var check = Dialogue(proof.verification(jar: CookieJar()))
    try check.play([.answer(200, ["DPoP-Nonce": "n10"])])
    let checked = try #require(check.outcome).proof
    let next = checked.authorise(
      .get(try .at(Server.check)), jar: CookieJar(), at: Dialogue.moment)
    #expect(try claims(next)["nonce"] == "n10")
  }

  @Test
  func `the check URL may want a nonce too`() throws {
    var dialogue = try login()
    try dialogue.hand(in: .reply(Self.granted))
    #expect(ending(dialogue, [.reply(Self.nonce(401, "n3"))]) == "GET \(Server.check)")
    #expect(
      ending(dialogue, [.reply(Self.nonce(401, "n3")), .reply(.answer(200))]) == "finish")
    #expect(
      ending(dialogue, [.reply(Self.nonce(401, "n3")), .reply(Self.nonce(401, "n4"))])
        == "login.unprovable")
    var check = Dialogue(try outcome().proof.verification(jar: CookieJar()))
    #expect(check.ending([Self.nonce(401, "n5"), .answer(200)]) == "finish")
  }

  @Test
  func `a server that binds nothing is taken at its word`() throws {
    var dialogue = try login()
    try dialogue.hand(in: .reply(IdentityServer.granted()))
    #expect(dialogue.requests.last?.field("Authorization") == "Bearer tok12345")
    #expect(dialogue.requests.last?.field("DPoP") == nil)
    try dialogue.hand(in: .reply(.answer(200)))
    #expect(dialogue.outcome?.proof.bearer(since: Dialogue.moment.wall) != nil)
  }

  @Test
  func `a bound token is nobody's to send by himself, and outlives a restart with its key`() throws
  {
    let proof = try outcome().proof
    #expect(proof.bearer(since: Dialogue.moment.wall) == nil)
    let read = try #require(SessionProofs.decode(method: "oauth2", record: proof.record))
    #expect(read.record == proof.record)
    let refresh = try Dialogue.renewal(of: read)
    #expect(try claims(refresh.requests.last)["htu"] == .text("\(Server.site)/token"))
  }

  @Test
  func `the code is bound to the key, each login has its own`() throws {
    let thumbprints = try (0..<2).map { _ in
      var application = IdentityServer.application()
      application.bindsTokens = true
      let dialogue = try IdentityServer.visiting(
        IdentityServer.method(.code(redirectURI: IdentityServer.callback), application))
      return try IdentityServer.page(dialogue)["dpop_jkt"]
    }
    #expect(Set(thumbprints).count == 2)
    #expect(thumbprints.allSatisfy { $0?.utf8.count == 43 })
  }

  @Test(arguments: ["", "a b", "a\"b", String(repeating: "n", count: 1025)])
  func `what is no nonce is not learnt`(_ value: String) throws {
    var binding = TokenBinding(key: .generate())
    let url = try HTTPURL.at(Server.check)
    let isNew = binding.learn(from: .answer(401, ["DPoP-Nonce": value]), of: url.origin)
    #expect(!isNew)
  }
}
