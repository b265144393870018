import GatebookAuthentication
import GatebookEvents
import Testing

/// What logins at the servers of the guides depend on: issuers, pages, ID tokens and scopes.
///
/// The facts are from the servers' documentation, read on 2026-11-26.
struct ServerLoginTests {
  private typealias Server = IdentityServer

  // Microsoft: "Access tokens in the Microsoft identity platform",
  // https://learn.microsoft.com/en-us/entra/identity-platform/access-tokens
  private static let anyTenant = "https://login.microsoftonline.com/{tenantid}/v2.0"
  private static let tenant =
    "https://login.microsoftonline.com/8eaef023-2b34-4da1-9baa-8bc8c9d6a490/v2.0"

  @Test(arguments: [
    ("https://login.microsoftonline.com/common/v2.0", anyTenant, "your tenant's ID"),
    ("https://login.microsoftonline.com/organizations/v2.0", anyTenant, "your tenant's ID"),
    (
      "https://login.microsoftonline.com/contoso.onmicrosoft.com/v2.0", tenant,
      "give the issuer exactly as the server writes it"
    ),
    // Keycloak: "Migrating to Quarkus distribution",
    // https://www.keycloak.org/migration/migrating-to-quarkus
    (
      "https://id.example/auth/realms/staff", "https://id.example/realms/staff",
      "give the issuer exactly as the server writes it"
    ),
    // authentik: "Integrate with GitLab",
    // https://integrations.goauthentik.io/development/gitlab/
    (
      "https://authentik.company/application/o/mail",
      "https://authentik.company/application/o/mail/",
      "Give https://authentik.company/application/o/mail/ as the issuer"
    ),
    // Google: "Google OpenID Connect API Reference",
    // https://developers.google.com/identity/openid-connect/reference
    (
      "https://accounts.google.com/", "https://accounts.google.com",
      "Give https://accounts.google.com as the issuer"
    ),
  ])
  func `an issuer that was guessed is refused with the server's own and what to do`(
    _ set: String, _ said: String, _ remedy: String
  ) throws {
    let error = try Dialogue.failure(
      of: Server.method(issuer: set), Server.metadata(["issuer": "\"\(said)\""]))
    #expect(error.code == .configurationInvalid)
    #expect(error.cause == "it says \(said)")
    #expect(error.remedy.contains(remedy), "\(error.remedy)")
  }

  /// Google: "Using OAuth 2.0 for Web Server Applications" names both parameters.
  ///
  /// https://developers.google.com/identity/protocols/oauth2/web-server
  @Test func `Google's additional parameters are in the page's URL`() throws {
    let issuer = "https://accounts.google.com"
    var server = OAuth2Server()
    server.authorisationURL = try .at(
      "\(issuer)/o/oauth2/v2/auth?access_type=offline&prompt=consent")
    let dialogue = try Server.visiting(
      try Server.method(
        .code(redirectURI: Server.callback), Server.application(scopes: ["email"]),
        server: server, issuer: issuer),
      metadata: Server.metadata(["issuer": "\"\(issuer)\""]))
    #expect(dialogue.opened?.page.withoutQuery == "\(issuer)/o/oauth2/v2/auth")
    let page = try Server.page(dialogue)
    #expect(page["access_type"] == "offline" && page["scope"] == "openid email")
    #expect(page.fields.filter { $0.name == "prompt" }.map(\.value) == ["consent"])
  }

  /// Google: "Google OpenID Connect API Reference": `accounts.google.com` is an issuer's name in
  /// older tokens.
  @Test func `Google's older issuer name is not taken`() throws {
    let issuer = "https://accounts.google.com"
    let dialogue = try Server.redeemed(
      try Server.method(issuer: issuer),
      metadata: Server.metadata(["issuer": "\"\(issuer)\""]),
      claims: ["iss": "\"accounts.google.com\""])
    #expect(ending(dialogue, [.reply(try Server.keys())]) == "content.unexpected")
  }

  /// authentik: "OAuth 2.0 provider": ID tokens are signed with the client's secret where no
  /// signing key is chosen, and are encrypted where an encryption key is.
  ///
  /// https://docs.goauthentik.io/add-secure-apps/providers/oauth2/
  @Test(arguments: [#"{"alg":"HS256","typ":"JWT"}"#, nil])
  func `authentik's ID token without a signing key is refused as a setting`(
    _ header: String?
  ) throws {
    let token = try header.map { try TokenMint().token("{}", header: $0) } ?? "a.b.c.d.e"
    var dialogue = try Server.visiting()
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    try dialogue.hand(in: .reply(Server.granted(idToken: token)))
    #expect(ending(dialogue, [.reply(try Server.keys())]) == "configuration.invalid")
  }

  /// Microsoft: two flows leave out different scopes in their answers.
  ///
  /// "Microsoft identity platform and the OAuth 2.0 device authorization grant flow" lists no
  /// `offline_access`. "Microsoft identity platform and OAuth 2.0 authorization code flow" lists no
  /// `openid` either.
  ///
  /// https://learn.microsoft.com/en-us/entra/identity-platform/v2-oauth2-device-code
  @Test(
    arguments: [
      (["offline_access", "User.Read"], "User.Read profile openid email", "\"r\"", []),
      (
        ["offline_access", "User.Read"], "User.Read profile openid email", nil, ["offline_access"]
      ),
      (["user.read"], "User.Read profile openid email", "\"r\"", ["user.read"]),
      (
        ["offline_access", "https://graph.microsoft.com/mail.read"],
        "https://graph.microsoft.com/mail.read", "\"r\"", []
      ),
    ] as [([String], String, String?, [String])])
  func `what Entra has granted is not told as missing`(
    _ asked: [String], _ scope: String, _ refresh: String?, _ missing: [String]
  ) throws {
    var dialogue = try Server.visiting(
      try Server.method(.code(redirectURI: Server.callback), Server.application(scopes: asked)))
    let nonce = try #require(try Server.page(dialogue)["nonce"])
    try dialogue.redirect(("code", "c0de"), ("state", "s"))
    let token = try TokenMint().idToken(["nonce": "\"\(nonce)\""])
    try dialogue.hand(
      in: .reply(
        Server.granted([
          "id_token": "\"\(token)\"", "scope": "\"\(scope)\"", "refresh_token": refresh,
        ])))
    try dialogue.hand(in: .reply(Server.keys()))
    try dialogue.hand(in: .reply(Server.userInfo))
    let proof = try #require(dialogue.outcome?.proof)
    #expect(proof.missingScopes == missing)
  }

  /// Microsoft: "Microsoft identity platform UserInfo endpoint": only tokens for Microsoft Graph
  /// are taken.
  ///
  /// https://learn.microsoft.com/en-us/entra/identity-platform/userinfo
  @Test func `a UserInfo page that refuses the token stops no login, but confirms no session`()
    throws
  {
    var dialogue = try Server.redeemed()
    try dialogue.hand(in: .reply(Server.keys()))
    try dialogue.hand(in: .reply(.answer(401)))
    let outcome = try #require(dialogue.outcome)
    #expect(outcome.person.userID == "248289761001")
    var check = Dialogue(outcome.proof.verification(jar: CookieJar()))
    #expect(check.ending([.answer(401)]) == "session.refused")
  }
}
