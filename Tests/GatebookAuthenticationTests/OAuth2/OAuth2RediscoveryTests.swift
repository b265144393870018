import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// A refresh at a server that describes itself, and may have moved.
struct OAuth2RediscoveryTests {
  private func session() throws -> any SessionProof { try IdentityServer.outcome().proof }

  /// A refresh, so many seconds after the server was asked where it is.
  private func refreshed(_ age: Int) throws -> Dialogue {
    try .renewal(of: session(), at: .earlier(-age))
  }

  /// What is found out before a refresh then.
  private func prepared(_ age: Int) throws -> Dialogue {
    let moment = Moment.earlier(-age)
    var dialogue = Dialogue(try #require(try session().preparation(at: moment)))
    dialogue.moment = moment
    try dialogue.play([])
    return dialogue
  }

  /// Where the refresh goes with what was found out.
  private func place(_ dialogue: Dialogue, _ happenings: [Input.Happening]) throws -> String {
    var dialogue = dialogue
    for happening in happenings { try dialogue.hand(in: happening) }
    let outcome = try #require(dialogue.outcome)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    return try #require(try Dialogue.renewal(of: proof).requests.last).url.description
  }

  private static let discovery = "https://issuer.example/.well-known/openid-configuration"
  private static let moved = IdentityServer.metadata([
    "token_endpoint": "\"https://issuer.example/v2/token\""
  ])

  @Test
  func `fresh metadata is not asked for again`() throws {
    #expect(try session().preparation(at: .earlier(-3599)) == nil)
    #expect(try refreshed(3599).requests.map(\.url.description) == ["https://issuer.example/token"])
    // Without an issuer there is nobody to ask.
    #expect(try PlainServer.outcome().proof.preparation(at: .earlier(-9999)) == nil)
  }

  @Test
  func `old metadata is read again before the refresh, and a moved endpoint is reported`() throws {
    var dialogue = try prepared(3600)
    #expect(dialogue.requests.map(\.url.description) == [Self.discovery])
    #expect(dialogue.requests.map(\.limits.total) == [.seconds(5)])
    try dialogue.hand(in: .reply(Self.moved))
    let found = try #require(dialogue.outcome)
    #expect(found.changedEndpoints == ["token_endpoint"])
    #expect(found.proof.preparation(at: .earlier(-7199)) == nil)
    #expect(found.proof.preparation(at: .earlier(-7200)) != nil)
    var renewal = try Dialogue.renewal(of: found.proof)
    #expect(renewal.requests.last?.url.description == "https://issuer.example/v2/token")
    try renewal.hand(in: .reply(IdentityServer.granted()))
    // It was told.
    #expect(renewal.outcome?.changedEndpoints == [])
  }

  @Test
  func `an application's own tokens follow their server too`() throws {
    var login = Dialogue(
      try IdentityServer.method(.clientCredentials, IdentityServer.application(.post(Secret("s")))))
    try login.play([IdentityServer.metadata(), IdentityServer.granted(["refresh_token": nil])])
    let proof = try #require(login.outcome?.proof)
    var again = Dialogue(try #require(proof.renewal(jar: CookieJar())))
    again.moment = .earlier(-3600)
    try again.play([Self.moved, IdentityServer.granted()])
    #expect(again.outcome?.changedEndpoints == ["token_endpoint"])
    #expect(again.outcome?.person == login.outcome?.person)
  }

  private static let silence: [[Input.Happening]] = [
    [.failure(Dialogue.lost)], [.reply(.answer(503))],
    [.reply(.answer(404)), .reply(.answer(404))],
    [.reply(IdentityServer.metadata(["issuer": "\"https://other.example\""]))],
  ]

  @Test(arguments: silence.indices)
  func `a server that no longer describes itself keeps its endpoints, and is left alone`(
    _ index: Int
  ) throws {
    var dialogue = try prepared(3600)
    #expect(try place(dialogue, Self.silence[index]) == "https://issuer.example/token")
    for happening in Self.silence[index] { try dialogue.hand(in: happening) }
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.changedEndpoints.isEmpty)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    #expect(proof.preparation(at: .earlier(-3899)) == nil)
    #expect(proof.preparation(at: .earlier(-3900)) != nil)
    // A wall clock that was set back.
    #expect(proof.preparation(at: .earlier(1)) != nil)
  }

  @Test(arguments: [
    ["token_endpoint": "\"http://issuer.example/token\""], ["token_endpoint": nil],
    ["revocation_endpoint": "\"http://issuer.example/revoke\""],
  ])
  func `one that would have secrets without TLS, or no tokens, is not followed`(
    _ changes: [String: String?]
  ) throws {
    var dialogue = try prepared(3600)
    try dialogue.hand(in: .reply(IdentityServer.metadata(changes)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.changedEndpoints.isEmpty)
    #expect(
      try Dialogue.renewal(of: outcome.proof).requests.last?.url.description
        == "https://issuer.example/token")
    let revocation = outcome.proof.logOut(jar: CookieJar(), at: Dialogue.moment).first
    #expect(revocation?.url.description == "https://issuer.example/revoke")
    #expect(outcome.proof.preparation(at: .earlier(-3899)) == nil)
  }

  @Test
  func `a session that was kept with its issuer as a URL follows the server, too`() throws {
    var record = try IdentityServer.outcome().proof.record
    var login = try #require(record["login"]?.object)
    #expect(login["issuer"] == "https://issuer.example")
    login["issuer"] = "https://issuer.example/"
    record["login"] = .object(login)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: record))
    let moment = Moment.earlier(-3600)
    var dialogue = Dialogue(try #require(proof.preparation(at: moment)))
    dialogue.moment = moment
    try dialogue.play([])
    try dialogue.hand(in: .reply(Self.moved))
    let found = try #require(dialogue.outcome)
    #expect(
      try Dialogue.renewal(of: found.proof).requests.last?.url.description
        == "https://issuer.example/v2/token")
  }

  @Test(arguments: [404, 410])
  func `a token endpoint that is gone is looked for once`(_ status: Int) throws {
    let gone = Input.Happening.reply(.answer(status))
    let dialogue = try refreshed(0)
    #expect(ending(dialogue, [gone]) == "GET \(Self.discovery)")
    #expect(
      ending(dialogue, [gone, .reply(Self.moved)]) == "POST https://issuer.example/v2/token")
    #expect(ending(dialogue, [gone, .reply(Self.moved), gone]) == "configuration.invalid")
    #expect(
      ending(dialogue, [gone, .reply(IdentityServer.metadata())]) == "configuration.invalid")
    #expect(ending(dialogue, [gone, .failure(Dialogue.lost)]) == "configuration.invalid")
    #expect(ending(dialogue, [.reply(.answer(405))]) == "configuration.invalid")
    #expect(
      ending(try Dialogue.renewal(of: PlainServer.outcome().proof), [gone])
        == "configuration.invalid")
  }
}
