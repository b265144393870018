internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// What a person hears of renewals that bring less than before, and of servers that refuse.
struct RenewalNewsTests {
  private func logIn(
    _ scene: Scene, _ server: FakeIdentityServer, _ more: [String] = []
  ) throws {
    try server.start()
    let person = "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n"
    let ending = try scene.start(
      server.line("oidc", "password", ["--scopes", "profile", "--password-stdin"] + more),
      ChildProcess.Streams(input: person)
    ).end()
    try #require(ending.exit == 0, "\(ending.errors)")
  }

  @Test(arguments: ["refresh", "token", "request"])
  func `scopes and ID tokens that a renewal did not bring are reported`(_ command: String) throws {
    let scene = try Scene()
    let server = try FakeIdentityServer()
    server.settings.lifetime = .milliseconds(1)
    try logIn(scene, server)
    server.settings.lifetime = .seconds(600)
    server.settings.changes = [
      .grant: ["scope": #""openid""#], .claims: ["aud": #""other""#],
    ]
    let line = command == "request" ? [command, server.url + "/notes"] : [command]
    let ending = try scene.start(line).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("The server did not grant: profile.\n"), "\(ending.errors)")
    #expect(
      ending.errors.contains(
        "The server's new ID token was rejected: aud. The session continues without it.\n"),
      "\(ending.errors)")
    #expect(try scene.run("token").errors.isEmpty, "nothing was renewed")
  }

  @Test func `a server that makes the same mistake at each renewal is reported once`() throws {
    let scene = try Scene()
    let server = try FakeIdentityServer()
    try logIn(scene, server)
    let told = "The server's new ID token was rejected:"
    for (audience, isNews) in [("other", true), ("other", false), (nil, false), ("other", true)] {
      server.settings.changes =
        if let audience { [.claims: ["aud": #""\#(audience)""#]] } else { [:] }
      let ending = try scene.run("refresh")
      #expect(ending.exit == 0, "\(ending.errors)")
      #expect(ending.errors.contains(told) == isNews, "\(ending.errors)")
    }
    let log = try scene.run("log", "--json", "--kind", "refresh.succeeded").output
    #expect(log.split(separator: #""idToken":"aud""#).count == 4, "the log has each: \(log)")
  }

  @Test func `scopes that the log cannot contain are not shown as those of the login`() throws {
    let scene = try Scene()
    let server = try FakeIdentityServer()
    try logIn(scene, server)
    let login = try scene.kinds().count
    #expect(try scene.run("whoami", "--json").output.contains(#""profile""#))
    server.settings.changes = [.grant: ["scope": #""openid \u00fc""#]]
    #expect(try scene.run("refresh").exit == 0)
    #expect(try !scene.run("whoami", "--json").output.contains(#""scopes":["#))
    let then = try scene.run("show", "--json", "--as-of", "\(login)")
    #expect(then.output.contains(#""profile""#), "\(then.output)\(then.errors)")
  }

  @Test func `a refused client is reported with the answer, each time`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    scene.portal.inject(.status(401), on: .documents, times: nil)
    scene.portal.inject(
      .alter { _ in .json(#"{"error":"invalid_client"}"#, status: 401) }, on: .token, times: nil)
    for _ in 1...2 {
      let ending = try scene.run("request", scene.portal.url + "/documents/one")
      #expect(ending.exit == 3)
      #expect(
        ending.errors.contains("The server did not accept the last renewal (401 invalid_client)"),
        "\(ending.errors)")
    }
    // The next use tries again, so that a corrected setting takes effect without a login.
    #expect(scene.refreshCount == 2)
  }

  @Test func `a refused saved password is reported, also later`() throws {
    let scene = try Scene()
    let server = try FakeIdentityServer()
    server.settings.givesRefreshTokens = false
    server.settings.lifetime = .milliseconds(1)
    try logIn(scene, server, ["--save-credentials"])
    server.settings.changes = [.grant: ["access_token": nil, "error": #""invalid_grant""#]]
    for _ in 1...2 {
      let ending = try scene.run("token")
      #expect(ending.exit == 3)
      #expect(
        ending.errors.contains("The server rejected the saved credentials."),
        "\(ending.errors)")
    }
  }

  @Test func `a request is not held up by a renewal that is due, and a token is the new one`()
    throws
  {
    let scene = try Scene()
    scene.portal.switches.accessTokenLifetime = .seconds(15)
    try scene.logInForTokens()
    let begun = SuspendingClock.now
    let sent = scene.refreshCount
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .token)
    // Soft after 12 s, nearly over after 13.5 s: here time itself must pass.
    let rest = Duration.milliseconds(12_100) - begun.duration(to: .now)
    _ = poll(nil, 0, max(0, Int32(rest / .milliseconds(1))))
    let token = try scene.startToken()
    try scene.wait(forRefreshes: sent + 1)
    let request = try scene.start([
      "request", "-H", "Content-Type: application/json", "-d",
      #"[{"/user/get-current-user":{}}]"#, scene.portal.url + "/api/jsonws/invoke",
    ])
    #expect(request.read(until: #""ada""#).contains(#""ada""#))
    #expect(begun.duration(to: .now) < .seconds(15))
    door.open()
    #expect(token.end().output == (try scene.liveToken()))
    #expect(request.end().exit == 0)
    #expect(try scene.run("token").output == (try scene.liveToken()))
    #expect(scene.refreshCount == sent + 1)
  }

  @Test func `a renewal that brings all is no news`() throws {
    let scene = try Scene()
    let server = try FakeIdentityServer()
    try logIn(scene, server)
    #expect(try scene.run("refresh").errors.isEmpty)
  }

  @Test func `a token that is over at once is printed, and costs one renewal`() throws {
    let scene = try Scene()
    try scene.logInForTokens()
    try scene.expire()
    scene.portal.switches.accessTokenLifetime = .milliseconds(1)
    let sent = scene.refreshCount
    let ending = try scene.run("token")
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(scene.refreshCount == sent + 1)
    #expect(try scene.run("token", "--min-lifetime", "60").exit == 1)
    #expect(scene.refreshCount == sent + 2)
  }

  @Test func `a server that refuses a logout is not told again, and that is said`() throws {
    let scene = try Scene()
    let server = try FakeIdentityServer()
    try logIn(scene, server, ["--revoke-url", scene.portal.url + "/nothing/here"])
    let ending = try scene.run("logout")
    #expect(ending.exit == 0)
    #expect(ending.errors.contains("The server refused to revoke its tokens"), "\(ending.errors)")
    #expect(!ending.errors.contains("not told yet"), "\(ending.errors)")
    #expect(try scene.run("sync").output.hasPrefix("Nothing to do:"))
  }

  @Test(arguments: [401, 403])
  func `scopes that the server does not name are asked for by a login`(_ status: Int) throws {
    let scene = try Scene()
    let server = try FakeIdentityServer()
    server.settings.changes = [.metadata: ["scopes_supported": #"["openid","profile","notes"]"#]]
    try logIn(scene, server, ["--allow-origin", scene.portal.url])
    scene.portal.inject(
      .alter { _ in .json(#"{"error":"insufficient_scope"}"#, status: status) }, on: .documents,
      times: nil)
    let sent = server.requests.count
    let ending = try scene.run("request", scene.portal.url + "/documents/one")
    #expect(ending.exit == (status == 401 ? 3 : 0), "\(ending.errors)")
    #expect(
      ending.errors.contains("`gatebook login --account "), "\(ending.errors)")
    #expect(
      ending.errors.contains(" --scopes 'SCOPE SCOPE'`"),
      "\(ending.errors)")
    #expect(
      ending.errors.contains("the session has openid profile; the server also lists notes"),
      "\(ending.errors)")
    #expect(!ending.errors.contains("--step-up"), "\(ending.errors)")
    #expect(server.requests.count == sent, "no refresh brings scopes")
  }

  @Test func `a refusal without another try is reported as final`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    scene.portal.inject(.status(401), on: .documents, times: nil)
    let ending = try scene.run("request", scene.portal.url + "/documents/one")
    #expect(ending.exit == 3)
    #expect(ending.errors.contains("The server refused this request (401).\n"), "\(ending.errors)")
  }

  @Test(arguments: [(0, "0 seconds"), (1, "1 second"), (59, "59 seconds"), (60, "1 minute")])
  func `a short wait is printed in seconds`(_ seconds: Int, _ words: String) async {
    #expect(await MainActor.run { Call.length(.seconds(seconds)) } == words)
  }
}
