internal import Gatebook
internal import GatebookFakes
internal import Testing

/// What commands show and do where a session's known life is over and nothing makes it live on.
struct ExpiryTests {
  private let scene: Scene
  private let server: FakeIdentityServer

  init() throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    server.settings.givesRefreshTokens = false
    server.settings.lifetime = .milliseconds(1)
    try server.start()
    let ending = try scene.start(
      [
        "login", "oidc", "--issuer", server.url, "--client-id", FakeIdentityServer.clientID,
        "--flow", "password", "--scopes", "notes", "--password-stdin",
      ],
      ChildProcess.Streams(input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    ).end()
    try #require(ending.exit == 0, "\(ending.errors)")
  }

  @Test(
    arguments: [["accounts"], ["whoami"], ["show"], ["sessions"]], [[], ["--key", "none"]])
  func `readers show it before the log has it`(_ line: [String], _ key: [String]) throws {
    let json = try scene.start(line + ["--json"] + key).end()
    #expect(json.exit == 0, "\(json.errors)")
    #expect(json.output.contains(#""state":"needsLogin","reason":"expired""#), "\(json.output)")
    let text = try scene.start(line + key).end().output
    #expect(text.contains("needs login (expired)"))
    if line == ["whoami"] || line == ["show"] {
      #expect(text.contains("recorded       not yet: the next command"), "\(text)")
    }
    #expect(try !scene.kinds().contains("session.expired"))
  }

  @Test func `as of a position is what the log says, as of a time also what had ended by then`()
    throws
  {
    let end = try scene.kinds().count
    let then = try scene.run("show", "--as-of", "\(end)", "--json")
    #expect(then.output.contains(#""state":"active""#), "\(then.output)\(then.errors)")
    for command in ["show", "sessions"] {
      let now = try scene.run(command, "--as-of", "now", "--json")
      #expect(now.output.contains(#""state":"needsLogin""#), "\(now.output)\(now.errors)")
    }
  }

  @Test func `an expiry that is recorded later has the time of the expiry`() throws {
    let before = try since()
    #expect(try scene.run("request", server.url + "/notes").exit == 3)
    #expect(try scene.kinds().last == "session.expired")
    #expect(try since() == before)
  }

  /// Since when the account is in its state.
  private func since() throws -> Substring {
    let json = try scene.run("accounts", "--json").output
    return try #require(json.firstMatch(of: /"since":"([^"]+)"/)).1
  }

  @Test func `with saved credentials the next use logs in again, and says nothing`() throws {
    let login = try scene.start(
      [
        "login", "oidc", "--issuer", server.url, "--client-id", FakeIdentityServer.clientID,
        "--flow", "password", "--scopes", "notes", "--password-stdin", "--save-credentials",
      ],
      ChildProcess.Streams(input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    #expect(!login.errors.contains("No credentials were saved"))
    #expect(try scene.run("whoami").output.contains("active"))
    server.settings.lifetime = .seconds(600)
    let page = try scene.run("request", server.url + "/notes")
    #expect(page.exit == 0, "\(page.errors)")
    #expect(page.errors.isEmpty, "\(page.errors)")
    let last = try scene.run("log", "--json", "--kind", "login.started", "--limit", "1")
    #expect(last.output.contains(#""interactive":false"#), "\(last.output)")
  }

  @Test func `a login that leaves nothing to log in again with says that nothing was saved`() throws
  {
    let child = try scene.start(
      server.line("oidc", "device", ["--save-credentials"]))
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.contains("No credentials were saved"), "\(ending.errors)")
    #expect(try !scene.kinds().contains("credentials.saved"))
    server.settings.givesRefreshTokens = true
    let second = try scene.start(server.line("oidc", "device", ["--save-credentials"])).end()
    #expect(second.exit == 0, "\(second.errors)")
    #expect(!second.errors.contains("No credentials were saved"), "\(second.errors)")
    #expect(try scene.kinds().contains("credentials.saved"))
  }

  @Test(arguments: [["token"], ["restore"], ["request", "URL/notes"]])
  func `a use gets the error to log in, and records the expiry`(_ line: [String]) throws {
    let line = line.map { $0.replacing("URL", with: server.url) }
    let ending = try scene.start(line).end()
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(ending.output.isEmpty)
    #expect(ending.errors.contains("expired"), "\(ending.errors)")
    #expect(ending.errors.contains("` logs in again."), "\(ending.errors)")
    #expect(try scene.kinds().last == "session.expired")
    #expect(try !scene.run("whoami").output.contains("recorded"))
  }
}
