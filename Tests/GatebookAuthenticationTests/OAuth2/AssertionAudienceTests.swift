import GatebookAuthentication
import GatebookCrypto
import GatebookEvents
import Testing

/// Whom an assertion is for: servers differ in which of their URLs they take.
struct AssertionAudienceTests {
  private typealias Server = IdentityServer
  typealias Audience = OAuth2Application.Authentication.Audience

  private static let key = P256Key.generate()

  private static func application(_ audience: Audience) throws -> OAuth2Application {
    let pem =
      "-----BEGIN PRIVATE KEY-----\n"
      + key.pkcs8.withBytes { Base64.encode($0) } + "\n-----END PRIVATE KEY-----\n"
    return Server.application(try .privateKey(Secret(pem), audience: audience))
  }

  private static func audience(_ request: HTTPRequest?) throws -> FactValue? {
    let body = try #require(FormFields(decoding: request?.body ?? []))
    let token = try UnverifiedToken(try #require(body["client_assertion"]))
    return try token.verified(
      by: JSONWebKeySet([JSONWebKey(.elliptic(key.publicKey))]), allowing: [.es256]
    ).claims.facts["aud"]
  }

  @Test(
    arguments: [
      (.tokenEndpoint, ["token", "token", "token"]),
      (.askedEndpoint, ["par", "token", "revoke"]),
      (.text("\(Server.issuer)/x"), ["x", "x", "x"]),
    ] as [(Audience, [String])])
  func `it is for the endpoint or the text of the settings, also after the vault`(
    _ audience: Audience, _ paths: [String]
  ) throws {
    let method = try Server.method(
      .code(redirectURI: Server.callback), Self.application(audience))
    var dialogue = Dialogue(method)
    try dialogue.play([
      Server.metadata(["pushed_authorization_request_endpoint": "\"\(Server.issuer)/par\""])
    ])
    var found = [try Self.audience(dialogue.requests.last)]
    let nonce = FormFields(decoding: dialogue.requests.last?.body ?? [])?["nonce"] ?? ""
    try dialogue.hand(in: .reply(.json(201, "{\"request_uri\":\"urn:example:r\"}")))
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    found.append(try Self.audience(dialogue.requests.last))
    let token = try TokenMint().idToken(["nonce": "\"\(nonce)\""])
    try dialogue.hand(in: .reply(Server.granted(idToken: token)))
    try dialogue.hand(in: .reply(Server.keys()))
    try dialogue.hand(in: .reply(Server.userInfo))
    let proof = try #require(dialogue.outcome?.proof)
    let read = try #require(SessionProofs.decode(method: "oidc", record: proof.record))
    found.append(try Self.audience(read.logOut(jar: CookieJar(), at: Dialogue.moment).first))
    #expect(found == paths.map { .text("\(Server.issuer)/\($0)") })
  }

  @Test(arguments: [
    HTTPReply.answer(401), .json(401, "{\"error\":\"invalid_client\"}"),
    .json(400, "{\"error\":\"invalid_client\"}"),
  ])
  func `the refusal's error says that this may be the cause`(_ reply: HTTPReply) throws {
    let method = try Server.method(.clientCredentials, Self.application(.tokenEndpoint))
    var dialogue = Dialogue(method)
    let metadata = Server.metadata([
      "token_endpoint_auth_methods_supported": "[\"private_key_jwt\"]"
    ])
    try dialogue.play([metadata])
    do throws(GatebookError) {
      try dialogue.hand(in: .reply(reply))
      Issue.record("It was taken.")
    } catch {
      #expect(error.code == .configurationInvalid)
      #expect(error.setting == "assertion audience")
    }
  }
}
