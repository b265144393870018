import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// The page on which the person's own session at the server ends.
struct EndSessionTests {
  @Test func `the page gets the login's ID token, and what the app asks for`() throws {
    let metadata = IdentityServer.metadata(
      ["end_session_endpoint": "\"https://issuer.example/leave?x=1\""])
    let outcome = try IdentityServer.outcome(metadata: metadata)
    let proof = try #require(SessionProofs.decode(method: "oidc", record: outcome.proof.record))
    let page = try #require(
      proof.endSessionPage(
        redirectURI: "https://app.example/bye", state: "s1", namesPerson: true))
    #expect(page.withoutQuery == "https://issuer.example/leave")
    let fields = try #require(FormFields(decoding: Array((page.query ?? "").utf8)))
    #expect(fields["x"] == "1")
    #expect(fields["client_id"] == "gatebook")
    #expect(fields["post_logout_redirect_uri"] == "https://app.example/bye")
    #expect(fields["state"] == "s1")
    #expect(fields["id_token_hint"]?.split(separator: ".").count == 3)
    let nameless = proof.endSessionPage(redirectURI: nil, state: nil, namesPerson: false)
    #expect(nameless?.description == "https://issuer.example/leave?x=1&client_id=gatebook")
  }

  @Test func `a server without the page has none, and without an ID token there is no hint`() throws
  {
    #expect(
      try IdentityServer.outcome().proof
        .endSessionPage(redirectURI: nil, state: nil, namesPerson: true) == nil)
    var login = Dialogue(try PlainServer.method(paths: ["me", "leave"], checkURL: nil))
    try login.play([IdentityServer.granted(), .json(200, "{\"sub\":\"7\"}")])
    let page = try #require(login.outcome).proof
      .endSessionPage(redirectURI: nil, state: nil, namesPerson: true)
    #expect(page?.description == "https://auth.example.test/leave?client_id=app")
  }
}
