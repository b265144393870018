internal import CSQLite
internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI
@testable internal import GatebookStore

/// The command that `why` prints at its end runs unchanged, and logs the same account in again.
struct PrintedLoginTests {
  @Test(arguments: StoryMode.allCases)
  func `after a logout the printed command logs the account in again, by each method`(
    _ mode: StoryMode
  ) async throws {
    let stage = try StoryStage(mode)
    defer { stage.stop() }
    let scene = stage.scene
    let login = try await stage.logIn()
    try #require(login.exit == 0, "\(login.errors)")
    let account = try scene.onlyAccount().id
    try #require(try scene.start(stage.logout).end().exit == 0)
    let asked = try scene.askedLogin()
    let command = try scene.printedLogin()
    #expect(command == "gatebook login --account mine")
    for secret in stage.secrets { #expect(!asked.contains { $0.contains(secret) }) }
    let again = try await scene.paste(
      command, typing: stage.secrets, visit: mode.opensPage ? { try await stage.visit($0) } : nil)
    #expect(again.exit == 0, "\(command)\n\(again.shown)")
    #expect(try scene.onlyAccount() == Scene.OnlyAccount(id: account, state: "active"))
    #expect(try scene.askedLogin() == asked)
  }

  @Test(arguments: StoryMode.allCases.filter { ![.liferayOAuth, .oauth1].contains($0) })
  func
    `a session that began before the options were kept tells them itself, and they stay after it`(
      _ mode: StoryMode
    ) async throws
  {
    let stage = try StoryStage(mode)
    defer { stage.stop() }
    let scene = stage.scene
    let login = try await stage.logIn()
    try #require(login.exit == 0, "\(login.errors)")
    let account = try scene.onlyAccount().id
    try Connection.open(scene.book, flags: SQLITE_OPEN_READWRITE).execute(
      "DELETE FROM vault WHERE purpose = 'settings'")
    try #require(try scene.start(stage.logout).end().exit == 0)
    let command = try scene.printedLogin()
    let again = try await scene.paste(
      // That no browser was wanted nobody has kept.
      command + (mode.opensPage ? " --no-browser" : ""), typing: stage.secrets,
      visit: mode.opensPage ? { try await stage.visit($0) } : nil)
    #expect(again.exit == 0, "\(command)\n\(again.shown)")
    #expect(try scene.onlyAccount() == Scene.OnlyAccount(id: account, state: "active"))
  }

  @Test(arguments: ["oidc", "oauth2"], ["code", "device", "password"])
  func `refused, expired or logged out, the printed command logs the account in again`(
    _ command: String, _ flow: String
  ) async throws {
    let (scene, server) = (try Scene(), try FakeIdentityServer())
    // A token that is refused is not renewed then.
    server.settings.givesRefreshTokens = false
    try server.start()
    defer { server.stop() }
    let more = [
      "--scopes", "notes mail", "--allow-origin", "https://other.example", "--offline-limit", "90",
      "--timeout", "20",
    ]
    let isTyped = flow == "password"
    let child = try scene.start(
      server.line(
        command, flow,
        more + (isTyped ? ["--password-stdin"] : []) + (flow == "code" ? ["--no-browser"] : [])),
      ChildProcess.Streams(
        input: isTyped ? "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n" : ""))
    if flow == "code" { _ = try await scene.redirect(of: try child.page()) }
    let first = child.end()
    try #require(first.exit == 0, "\(first.errors)")
    let account = try scene.onlyAccount().id
    var printed: Set<String> = []
    for ending in ["refused", "logged out", "expired"] {
      switch ending {
      case "refused":
        server.endTokens()
        let refused = try scene.run("request", server.url + "/notes")
        #expect(refused.exit == 3, "\(refused.errors)")
        #expect(refused.errors.contains("`gatebook login --account "), "\(refused.errors)")
      case "logged out": try #require(try scene.run("logout").exit == 0)
      default:
        try wait(for: "the session's end") { try scene.onlyAccount().state == "needsLogin" }
      }
      #expect(try scene.onlyAccount().state != "active", "\(ending)")
      let line = try scene.printedLogin()
      printed.insert(line)
      let asked = try scene.askedLogin()
      for word in ["notes mail", "https://other.example", "20"] {
        #expect(asked.contains { $0.hasSuffix(word) }, "\(asked)")
      }
      if ending == "logged out" {
        // The next session's life is over soon.
        server.settings.lifetime = .seconds(1)
      }
      let again = try await scene.paste(
        line, typing: isTyped ? [FakeIdentityServer.password] : [],
        visit: flow == "code" ? { _ = try await scene.redirect(of: $0) } : nil)
      #expect(again.exit == 0, "\(ending): \(line)\n\(again.shown)")
      #expect(try scene.onlyAccount().id == account, "\(ending)")
    }
    #expect(printed.count == 1, "\(printed)")
  }

  @Test(arguments: ["oidc", "oauth2"], ["basic", "post", "private-key-jwt"])
  func `an application's own login is printed with the file of its secret`(
    _ command: String, _ way: String
  ) async throws {
    let (scene, server) = (try Scene(), try FakeIdentityServer())
    server.settings.clientProof = way == "basic" ? .basic : way == "post" ? .post : .privateKey
    try server.start()
    defer { server.stop() }
    let isKey = way == "private-key-jwt"
    let file = try scene.secretFile(
      isKey ? FakeIdentityServer.clientKeyPEM : FakeIdentityServer.secret)
    let login = try scene.start(
      server.line(
        command, "client-credentials", ["--client-secret-file", file, "--client-auth", way])
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    let account = try scene.onlyAccount().id
    try #require(try scene.run("logout").exit == 0)
    let line = try scene.printedLogin()
    #expect(try scene.askedLogin().contains(file))
    let again = try await scene.paste(line)
    #expect(again.exit == 0, "\(line)\n\(again.shown)")
    #expect(try scene.onlyAccount() == Scene.OnlyAccount(id: account, state: "active"))
  }

  @Test(arguments: ["basic", "cookie"])
  func `a password that no longer fits ends a session, and the printed command takes the new one`(
    _ mode: String
  ) async throws {
    let scene = try Scene()
    let ada = FakePortalUser.ada
    try scene.logIn(.ada, label: "it's me", mode: mode)
    let account = try scene.onlyAccount().id
    scene.portal.change(ada.userID) { $0.password = "another one" }
    scene.portal.endSessions()
    let refused = try scene.start(Self.request(scene, mode)).end()
    #expect(refused.exit == 3, "\(refused.output)\(refused.errors)")
    #expect(try scene.onlyAccount().state == "needsLogin")
    let line = try scene.printedLogin()
    #expect(line.hasSuffix(#" --account 'it'\''s me'"#), "\(line)")
    let again = try await scene.paste(line, typing: ["another one"])
    #expect(again.exit == 0, "\(line)\n\(again.shown)")
    #expect(try scene.onlyAccount() == Scene.OnlyAccount(id: account, state: "active"))
  }

  /// A request that only somebody who is logged in may send.
  private static func request(_ scene: Scene, _ mode: String) -> [String] {
    guard mode == "basic" else { return ["request", scene.portal.url + "/documents/1"] }
    return [
      "request", "-H", "Content-Type: application/json", "-d", #"[{"/user/get-current-user":{}}]"#,
      scene.portal.url + "/api/jsonws/invoke",
    ]
  }

  @Test func `the book and the key that were named are named in the printed command`() async throws
  {
    let scene = try Scene()
    let place = ["--book", "\(scene.folder)/my book", "--key", "file:\(scene.folder)/my.key"]
    let ada = FakePortalUser.ada
    let login = try scene.start(
      [
        "login", "liferay", "--server", scene.portal.url, "--user", ada.emailAddress,
        "--password-stdin",
      ] + place, ChildProcess.Streams(input: ada.password + "\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    try #require(try scene.start(["logout"] + place).end().exit == 0)
    let why = try scene.start(["why"] + place).end().output
    let line = try #require(why.firstMatch(of: /`(gatebook login [^`]*)`/)).output.1
    #expect(line.contains("--book '\(place[1])' --key \(place[3])"), "\(line)")
    let again = try await scene.paste(String(line), typing: [ada.password])
    #expect(again.exit == 0, "\(line)\n\(again.shown)")
  }

  @Test func `accounts and whoami print the command too, where the account needs a login`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    #expect(try scene.run("accounts").errors.isEmpty)
    #expect(try scene.run("whoami").errors.isEmpty)
    scene.portal.change(FakePortalUser.ben.userID) { $0.password = "another one" }
    #expect(try scene.start(Self.request(scene, "basic")).end().exit == 3)
    let line = try scene.printedLogin("--account", "ben")
    #expect(try scene.run("accounts").errors == "ben: `\(line)` logs in again.\n")
    #expect(try scene.run("whoami", "--account", "ben").errors == "`\(line)` logs in again.\n")
    let json = try scene.run("whoami", "--account", "ben", "--json")
    #expect(json.errors.isEmpty)
    #expect(json.output.contains(#""login":"\#(line)""#), "\(json.output)")
  }

  @Test func `what was removed is not saved again by the printed command`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", mode: "basic", "--save-credentials")
    #expect(try scene.run("logout").exit == 0)
    // What was saved logs it in: the command for a login is that of an error.
    #expect(try scene.run("credentials", "remove").exit == 0)
    #expect(try !scene.askedLogin().contains("--save-credentials"))
  }

  @Test func `unknown options are described in words`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    #expect(try scene.run("logout").exit == 0)
    let sealed = try scene.run("why", "--key", "none").output
    #expect(sealed.contains("`gatebook help login liferay` lists the options"), "\(sealed)")
    #expect(!sealed.contains("gatebook login"), "\(sealed)")
    let failed = try scene.run(
      "login", "http", "--url", scene.portal.url + "/none", "--user", "x", "--password-stdin",
      input: "x\n")
    #expect(failed.exit != 0)
    let last = try #require(try BookReader.open(at: scene.book).events(EventFilter()).last)
    let why = try scene.run("why", "\(last.position)").output
    #expect(why.contains("`gatebook help login http` lists the options"), "\(why)")
    #expect(!why.contains("gatebook login"), "\(why)")
  }
}
