internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `login oidc` and `login oauth2`, each flow, at a server of their own.
struct GrantFlowTests {
  private static let commands = ["oidc", "oauth2"]

  private let scene: Scene
  private let server: FakeIdentityServer

  init() throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    try server.start()
  }

  /// The line of a login by name and password, which are read from standard input.
  private func byPassword(_ command: String, _ more: [String] = []) throws -> ChildProcess.Ending {
    try scene.start(
      server.line(command, "password", ["--password-stdin"] + more),
      ChildProcess.Streams(input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    ).end()
  }

  private func notes() throws -> String {
    try scene.run("request", server.url + "/notes").output
  }

  // MARK: The page

  @Test(arguments: commands)
  func `a code on a page logs in`(_ command: String) async throws {
    let child = try scene.start(server.line(command, "code", ["--no-browser"]))
    let page = try child.page()
    #expect(page.hasPrefix(server.url + "/authorize?"))
    #expect(page.contains("code_challenge_method=S256"))
    #expect(page.contains("scope=openid") == (command == "oidc"))
    let redirect = try await scene.redirect(of: page)
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""method":"\#(command)""#))
    #expect(ending.output.contains(#""user":"\#(FakeIdentityServer.user)""#))
    #expect(try notes() == "The notes of ada.\n")
    let state = try #require(redirect.firstMatch(of: /state=([^&]*)/)?.output.1)
    let log = try scene.run("log", "--json").output
    for secret in ["code-1", "access-2", "refresh-2", String(state)] {
      #expect(!(ending.output + log).contains(secret))
      #expect(!ending.errors.contains(secret))
    }
  }

  @Test(arguments: commands)
  func `a redirect that arrived elsewhere finishes the login`(_ command: String) async throws {
    let child = try scene.start(
      server.line(command, "code", ["--no-browser", "--redirect", "com.example.app:/back"]))
    let redirect = try await scene.redirect(of: try child.page())
    let finished = try scene.run("login", "--callback", "-", "--json", input: redirect + "\n")
    #expect(finished.exit == 0, "\(finished.errors)")
    let waiting = child.end()
    #expect(waiting.exit == 0, "\(waiting.errors)")
    #expect(waiting.output == finished.output)
    #expect(try notes() == "The notes of ada.\n")
  }

  @Test func `a code that the page shows is typed`() async throws {
    let child = try scene.start(
      server.line("oidc", "code", ["--no-browser", "--redirect", "oob", "--password-stdin"]),
      ChildProcess.Streams(hasMoreInput: true))
    let page = try child.page()
    #expect(page.contains("redirect_uri=urn%3Aietf%3Awg%3Aoauth%3A2.0%3Aoob"), "\(page)")
    let redirect = try await scene.redirect(of: page)
    #expect(redirect.hasPrefix("urn:ietf:wg:oauth:2.0:oob?code=code-1&"))
    child.write("code-1\n")
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
  }

  @Test(arguments: commands)
  func `the person who denies cancels the login`(_ command: String) async throws {
    server.settings.denies = true
    let child = try scene.start(server.line(command, "code", ["--no-browser"]))
    _ = try await scene.redirect(of: try child.page())
    #expect(child.end().exit == 130)
    #expect(try scene.run("accounts", "--json").output.isEmpty)
  }

  // MARK: The logout

  @Test func `the browser, too, is logged out where the server has a page for it`() throws {
    server.settings.pendingPolls = 0
    #expect(try scene.start(server.line("oidc", "device")).end().exit == 0)
    let child = try scene.start(["logout", "--page", "--no-browser"])
    let page = try child.page()
    #expect(page.hasPrefix(server.url + "/leave?"))
    #expect(!page.contains("id_token_hint="), "a browser's arguments are seen by others")
    #expect(child.end().exit == 0)
    let again = try scene.run("logout", "--page")
    #expect(again.exit == 0)
    #expect(again.errors.contains("The session has ended"), "\(again.errors)")
  }

  // MARK: Without a page

  @Test(arguments: commands)
  func `name and password log in`(_ command: String) throws {
    let ending = try byPassword(command)
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""user":"ada""#))
    #expect(try notes() == "The notes of ada.\n")
  }

  @Test func `scopes that were not granted are named, and the session serves for the others`()
    throws
  {
    server.settings.withheldScopes = ["mail"]
    let ending = try byPassword("oidc", ["--scopes", "profile mail"])
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("The server did not grant: mail."), "\(ending.errors)")
    #expect(try scene.run("log", "--json").output.contains(#""missing":"mail""#))
    #expect(try notes() == "The notes of ada.\n")
  }

  @Test(arguments: commands)
  func `a wrong password makes no account`(_ command: String) throws {
    let ending = try scene.start(
      server.line(command, "password", ["--password-stdin", "--user", FakeIdentityServer.user]),
      ChildProcess.Streams(input: "canary-wrong\n")
    ).end()
    #expect(ending.exit == 3)
    #expect(ending.errors.contains(#""code":"credentials.refused""#))
    #expect(!ending.errors.contains("canary"))
    #expect(try scene.run("accounts", "--json").output.isEmpty)
    #expect(server.requests.filter { $0.path == "/token" }.count == 1)
  }

  @Test(arguments: commands)
  func `a saved password logs in again without asking`(_ command: String) throws {
    #expect(try byPassword(command, ["--save-credentials"]).exit == 0)
    #expect(try scene.run("logout").exit == 0)
    let again = try scene.run("refresh", "--json")
    #expect(again.exit == 0, "\(again.errors)")
    #expect(again.output.contains(#""state":"active""#))
    #expect(try notes() == "The notes of ada.\n")
  }

  @Test(
    arguments: commands,
    [FakeIdentitySettings.ClientProof.basic, .post, .privateKey])
  func `an application logs in as itself, and shows who it is`(
    _ command: String, _ proof: FakeIdentitySettings.ClientProof
  ) throws {
    server.settings.clientProof = proof
    let isKey = proof == .privateKey
    let file = try scene.secretFile(
      isKey ? FakeIdentityServer.clientKeyPEM : FakeIdentityServer.secret)
    let way = isKey ? "private-key-jwt" : proof == .post ? "post" : "basic"
    let ending = try scene.start(
      server.line(
        command, "client-credentials", ["--client-secret-file", file, "--client-auth", way])
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""user":"app""#))
    #expect(try notes() == "The notes of app.\n")
    let safe = try scene.run("request", server.url + "/safe")
    #expect(safe.exit == 3)
    #expect(safe.errors.contains("No person can log in for an application's own tokens"))
    #expect(!safe.errors.contains("--step-up"), "\(safe.errors)")
    // No refresh token: a new grant.
    #expect(try scene.run("refresh").exit == 0)
    #expect(try scene.run("logout").exit == 0)
    #expect(server.requests.last?.path == "/revoke")
  }

  @Test func `what goes with a private key goes with nothing else`() throws {
    for option in ["--key-id", "--assertion-audience"] {
      let ending = try scene.start(server.line("oidc", "client-credentials", [option, "x"])).end()
      #expect(ending.exit == 2)
      #expect(ending.errors.contains("private-key-jwt"), "\(ending.errors)")
    }
    server.settings.clientProof = .privateKey
    let file = try scene.secretFile(FakeIdentityServer.clientKeyPEM)
    let line = ["--client-auth", "private-key-jwt", "--client-secret-file", file]
    // The fake server wants its token endpoint there.
    let audiences: [(String, Int32)] = [(server.url + "/token", 0), (server.url, 1)]
    for (audience, exit) in audiences {
      let ending = try scene.start(
        server.line(
          "oidc", "client-credentials", line + ["--assertion-audience", audience])
      ).end()
      #expect(ending.exit == exit, "\(ending.errors)")
    }
  }

  @Test func `tokens that are not bound are taken, or refused and taken back`() throws {
    let refused = try byPassword("oidc", ["--require-dpop"])
    #expect(refused.exit == 1, "\(refused.errors)")
    #expect(server.liveTokens.isEmpty)
    #expect(try scene.run("accounts", "--json").output.isEmpty)
    #expect(try byPassword("oidc", ["--dpop"]).exit == 0)
    #expect(try scene.run("log", "--json").output.contains(#""unbound":true"#))
  }

  @Test func `the page about the user is proof enough without a check URL`() throws {
    let ending = try scene.start(
      [
        "login", "oauth2", "--token-url", server.url + "/token", "--userinfo-url",
        server.url + "/me", "--client-id", FakeIdentityServer.clientID, "--flow", "password",
        "--user", FakeIdentityServer.user, "--password-stdin", "--json",
      ], ChildProcess.Streams(input: FakeIdentityServer.password + "\n")
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(try scene.run("show", "--json").output.contains(#""sub":"248289761001""#))
    let logout = try scene.run("logout")
    #expect(logout.exit == 0)
    #expect(logout.errors.contains("`--revoke-url URL`"), "\(logout.errors)")
    let none = try scene.start(
      [
        "login", "oauth2", "--token-url", server.url + "/token", "--client-id", "app", "--flow",
        "password", "--user", "ada", "--password-stdin",
      ], ChildProcess.Streams(input: "x\n")
    ).end()
    #expect(none.exit == 2)
    #expect(none.errors.contains("--check"), "\(none.errors)")
  }

  // MARK: Afterwards

  @Test(arguments: commands)
  func `tokens are renewed, printed and taken back`(_ command: String) throws {
    #expect(try byPassword(command).exit == 0)
    #expect(try scene.run("token").output == "access-1\n")
    #expect(try scene.run("refresh").exit == 0)
    #expect(try scene.run("token").output == "access-2\n")
    // A token that the server takes no more is renewed once, and the request sent again.
    server.endTokens()
    #expect(try notes() == "The notes of ada.\n")
    #expect(try scene.run("token").output == "access-3\n")
    #expect(try scene.run("logout").exit == 0)
    let revoked = server.requests.filter { $0.path == "/revoke" }
    #expect(revoked.compactMap { $0.formValue("token") } == ["refresh-3", "access-3"])
  }

  @Test func `endpoints that are given win over what the server says`() throws {
    let other = try FakeIdentityServer()
    try other.start()
    defer { other.stop() }
    other.settings.clientProof = .basic
    let file = try scene.secretFile(FakeIdentityServer.secret)
    let ending = try scene.start(
      server.line(
        "oidc", "client-credentials",
        ["--client-secret-file", file, "--token-url", other.url + "/token"])
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(other.requests.map(\.path) == ["/token"])
    #expect(!server.requests.contains { $0.path == "/token" })
  }

  @Test func `each endpoint can be given by hand`() throws {
    let other = try FakeIdentityServer()
    try other.start()
    defer { other.stop() }
    #expect(
      try byPassword(
        "oidc",
        [
          "--jwks-url", other.url + "/keys", "--userinfo-url", other.url + "/me", "--revoke-url",
          other.url + "/revoke", "--end-session-url", other.url + "/leave",
        ]
      ).exit == 0)
    #expect(other.requests.map(\.path) == ["/keys", "/me"])
    let ending = try scene.run("logout", "--page", "--no-browser")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("open \(other.url)/leave?"), "\(ending.errors)")
    #expect(other.requests.map(\.path).suffix(2) == ["/revoke", "/revoke"])
  }

  @Test func `the scopes are asked for`() throws {
    #expect(try byPassword("oidc", ["--scopes", "email  profile"]).exit == 0)
    let asked = server.requests.first { $0.path == "/token" }
    #expect(asked?.formValue("scope") == "openid email profile")
  }

  @Test func `what was granted differs between two logins`() throws {
    #expect(try byPassword("oauth2", ["--scopes", "email"]).exit == 0)
    let before = try BookReader.open(at: scene.book).head().size
    #expect(try byPassword("oauth2", ["--scopes", "email notes"]).exit == 0)
    let line = ["show", "--as-of", "\(before)", "--diff", "now"]
    #expect(try scene.start(line).end().output.contains("scopes\n  - email\n  + email notes\n"))
    let told = try scene.start(line + ["--json"]).end().output
    #expect(
      told.contains(#"{"name":"scopes","from":["email"],"to":["email","notes"]}"#), "\(told)")
  }

  @Test(arguments: commands)
  func `a scope that was not granted is named, and the token stays`(_ command: String) throws {
    #expect(try byPassword(command, ["--scopes", "email notes"]).exit == 0)
    #expect(try scene.run("token", "--scope", "notes email").output == "access-1\n")
    let ending = try scene.run("token", "--scope", "notes admin", "--json")
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(ending.output.isEmpty)
    #expect(ending.errors.contains(#""code":"scope.missing""#), "\(ending.errors)")
    #expect(ending.errors.contains("admin"))
    #expect(!ending.errors.contains("notes"))
    #expect(ending.errors.ranges(of: "og in again").count == 1, "\(ending.errors)")
    #expect(ending.errors.contains("`--scopes S`"), "\(ending.errors)")
    #expect(try scene.run("token").output == "access-1\n")
  }

  @Test func `a check URL that anybody may read proves nothing`() throws {
    let ending = try scene.start(
      server.line("oauth2", "password", ["--password-stdin"], check: "/keys"),
      ChildProcess.Streams(input: "ada\nx\n")
    ).end()
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(ending.errors.contains(#""code":"login.unprovable""#))
    #expect(!server.requests.contains { $0.path == "/token" }, "the password was sent")
  }

  // MARK: The line

  @Test(arguments: [
    ["oidc", "--client-id", "a"], ["oidc", "--issuer", "http://127.0.0.1:9"],
    ["oidc", "--issuer", "x", "--client-id", "a"],
    ["oidc", "--issuer", "http://127.0.0.1:9", "--client-id", "a", "--flow", "implicit"],
    [
      "oidc", "--issuer", "http://127.0.0.1:9", "--client-id", "a", "--flow", "device",
      "--no-browser",
    ],
    [
      "oidc", "--issuer", "http://127.0.0.1:9", "--client-id", "a", "--flow", "password",
      "--redirect", "oob",
    ],
    [
      "oidc", "--issuer", "http://127.0.0.1:9", "--client-id", "a", "--flow",
      "client-credentials", "--user", "ada",
    ],
    [
      "oidc", "--issuer", "http://127.0.0.1:9", "--client-id", "a", "--client-auth",
      "private-key-jwt",
    ],
    ["oauth2", "--client-id", "a", "--check", "http://127.0.0.1:9/"],
    ["oauth2", "--client-id", "a", "--token-url", "http://127.0.0.1:9/"],
    [
      "oauth2", "--client-id", "a", "--token-url", "http://127.0.0.1:9/", "--check",
      "http://127.0.0.1:9/",
    ],
    [
      "oauth2", "--client-id", "a", "--token-url", "http://127.0.0.1:9/", "--check",
      "http://127.0.0.1:9/", "--flow", "device",
    ],
    // Under the client's id two people would be one account.
    [
      "oauth2", "--client-id", "a", "--token-url", "http://127.0.0.1:9/", "--check",
      "http://127.0.0.1:9/", "--flow", "device", "--device-url", "http://127.0.0.1:9/",
    ],
    [
      "oauth2", "--client-id", "a", "--token-url", "http://127.0.0.1:9/", "--check",
      "http://127.0.0.1:9/", "--authorize-url", "http://127.0.0.1:9/",
    ],
    [
      "oauth2", "--client-id", "a", "--token-url", "http://127.0.0.1:9/", "--check",
      "http://127.0.0.1:9/", "--authorize-url", "http://127.0.0.1:9/", "--introspect-url",
      "http://127.0.0.1:9/",
    ],
    [
      "oauth1", "--consumer-key", "a", "--request-url", "http://127.0.0.1:9/", "--authorize-url",
      "http://127.0.0.1:9/", "--access-url", "http://127.0.0.1:9/", "--check",
      "http://127.0.0.1:9/",
    ],
  ])
  func `what is missing or does not fit is 2`(_ line: [String]) throws {
    let ending = try scene.start(["login"] + line).end()
    #expect(ending.exit == 2, "\(ending.errors)")
    #expect(access(scene.book, F_OK) != 0)
  }

  @Test func `a secret goes with a way that uses it`() throws {
    let file = try scene.secretFile("canary-secret\n")
    for way in ["none", "private-key-jwt"] {
      let ending = try scene.start(
        server.line("oidc", "code", ["--client-secret-file", file, "--client-auth", way])
      ).end()
      #expect(ending.exit == (way == "none" ? 2 : 1), "\(ending.errors)")
      #expect(!ending.errors.contains("canary"))
      #expect(!server.requests.contains { $0.path != "/.well-known/openid-configuration" })
    }
  }
}
