import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// What OpenID Connect Core 1.0 section 3.1.3.7 leaves to the application.
struct IDTokenRulesTests {
  private typealias Server = IdentityServer

  private func method(_ change: (inout IDTokenRules) -> Void) throws -> LoginMethod {
    var application = Server.application()
    change(&application.idTokenRules)
    return try Server.method(.code(redirectURI: Server.callback), application)
  }

  @Test(arguments: [-1, 301])
  func `a skew that nobody can mean is refused before anything is sent`(_ seconds: Int) throws {
    var dialogue = Dialogue(try method { $0.clockSkew = .seconds(seconds) })
    #expect(dialogue.ending([]) == "configuration.invalid")
    #expect(dialogue.requests.isEmpty)
  }

  @Test(arguments: [0, -5])
  func `so is an age that no token has`(_ seconds: Int) throws {
    var dialogue = Dialogue(try method { $0.maximumAge = .seconds(seconds) })
    #expect(dialogue.ending([]) == "configuration.invalid")
  }

  /// The tests' clock says 1,700,000,000.
  @Test(arguments: [
    (300, ["exp": "1699999701"], true), (300, ["exp": "1699999700"], false),
    (60, ["exp": "1699999941"], true), (60, ["exp": "1699999940"], false),
    (0, ["exp": "1700000000"], false), (0, ["iat": "1700000001"], false),
    (300, ["iat": "1700000300"], true),
  ])
  func `the clocks may differ by the skew`(
    _ seconds: Int, _ claims: [String: String?], _ holds: Bool
  ) throws {
    let dialogue = try Server.redeemed(
      method { $0.clockSkew = .seconds(seconds) }, claims: claims)
    let end = ending(dialogue, [.reply(try Server.keys())])
    #expect(end == (holds ? "GET https://issuer.example/me" : "content.unexpected"))
  }

  @Test(arguments: [("1699999840", true), ("1699999839", false)])
  func `a token may be as old as is allowed, and the skew more`(
    _ issued: String, _ holds: Bool
  ) throws {
    let dialogue = try Server.redeemed(
      method { $0.maximumAge = .seconds(100) }, claims: ["iat": issued])
    let end = ending(dialogue, [.reply(try Server.keys())])
    #expect(end == (holds ? "GET https://issuer.example/me" : "content.unexpected"))
  }

  @Test(arguments: [false, true])
  func `a nonce that nobody sent is refused, or ignored by the setting`(
    _ isIgnored: Bool
  ) throws {
    var application = Server.application()
    application.idTokenRules.ignoresUnexpectedNonce = isIgnored
    var dialogue = Dialogue(try Server.method(.password(user: "jane", Secret("x")), application))
    let token = try TokenMint().idToken(["nonce": "\"n\""])
    try dialogue.play([Server.metadata(), Server.granted(idToken: token)])
    #expect(
      ending(dialogue, [.reply(try Server.keys())])
        == (isIgnored ? "GET https://issuer.example/me" : "content.unexpected"))
  }

  @Test func `they are kept with the session, which one of before has without`() throws {
    let proof = try Server.outcome(method { $0.clockSkew = .seconds(300) }).proof
    let read = try #require(SessionProofs.decode(method: "oidc", record: proof.record))
    #expect(read.record == proof.record)
    var renewal = try Dialogue.renewal(of: read)
    let token = try TokenMint().idToken(["exp": "1699999701"])
    try renewal.hand(in: .reply(Server.granted(idToken: token)))
    #expect(renewal.outcome?.refusedIDToken == nil)
    let usual = try Server.outcome().proof.record
    #expect(usual["login"]?.object?["application"]?.object?["idTokenRules"] == nil)
  }
}
