internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Sessions that are resumed without their server.
struct OfflineTests {
  private static let ada = FakePortalUser.ada.password

  @Test func `the password of a saved account resumes it offline, a wrong one is 3`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", "--save-credentials")
    scene.portal.stop()
    let restored = try scene.run("restore", "--password-stdin", "--json", input: Self.ada + "\n")
    #expect(restored.exit == 0, "\(restored.errors)")
    #expect(restored.output.contains(#""state":"offline""#))
    let last = try scene.run("log", "--json", "--kind", "session.restored", "--limit", "1")
    #expect(last.output.contains(#""evidence":"password""#), "\(last.output)")
    for remaining in (0...4).reversed() {
      let wrong = try scene.run("restore", "--password-stdin", "--json", input: "wrong\n")
      #expect(wrong.exit == 3)
      #expect(wrong.output.isEmpty)
      #expect(wrong.errors.contains(#""code":"credentials.refused""#), "\(wrong.errors)")
      #expect(wrong.errors.contains(remaining == 0 ? "No more" : "\(remaining) more"))
    }
    let blocked = try scene.run("restore", "--password-stdin", input: Self.ada + "\n")
    #expect(blocked.exit == 3)
    #expect(blocked.errors.contains("no more are checked offline"), "\(blocked.errors)")
    #expect(try scene.run("log", "--failed").output.contains("challenge.failed"))
    // The session itself has lost nothing.
    #expect(try scene.run("restore").exit == 0)
    #expect(try scene.run("verify").exit == 0)
    #expect(try scene.run("rebuild", "--check").exit == 0)
    for text in try [scene.run("log", "--json").output, scene.run("show").output] {
      #expect(!text.contains(Self.ada))
      #expect(!text.contains("wrong"))
    }
  }

  @Test func `an account that saved nothing has no password to be checked`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let ending = try scene.run("restore", "--password-stdin", input: Self.ada + "\n")
    #expect(ending.exit == 3)
    #expect(ending.errors.contains("no saved data to check a password"), "\(ending.errors)")
    #expect(try scene.run("restore").exit == 0)
  }

  @Test func `with --all each account that can is asked, in their order`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", "--save-credentials")
    try scene.logIn(.ben, label: "ben")
    try scene.logIn(.cleo, label: "cleo", "--save-credentials")
    scene.portal.stop()
    let cleo = FakePortalUser.cleo.password
    let all = try scene.run(
      "restore", "--all", "--password-stdin", input: "\(Self.ada)\n\(cleo)\n")
    #expect(all.exit == 0, "\(all.errors)")
    let mixed = try scene.run(
      "restore", "--all", "--password-stdin", "--json", input: "wrong\n\(cleo)\n")
    #expect(mixed.exit == 3)
    #expect(mixed.output.split(separator: "\n").count == 3)
    #expect(mixed.errors.contains("ada: The password is wrong"), "\(mixed.errors)")
    #expect(mixed.errors.split(separator: "\n").count == 1)
  }

  @Test func `with --all the line of an account whose password is not looked at is its own`() throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", "--save-credentials")
    try scene.logIn(.cleo, label: "cleo", "--save-credentials")
    scene.portal.stop()
    for _ in 0..<5 {
      let wrong = try scene.run(
        "restore", "--account", "ada", "--password-stdin", input: "wrong\n")
      #expect(wrong.exit == 3)
    }
    let all = try scene.run(
      "restore", "--all", "--password-stdin", "--json",
      input: "\(Self.ada)\n\(FakePortalUser.cleo.password)\n")
    #expect(all.exit == 3)
    #expect(all.errors.split(separator: "\n").count == 1, "\(all.errors)")
    #expect(all.errors.contains(#""code":"challenge.blocked""#), "\(all.errors)")
    let cleo = all.output.split(separator: "\n").last ?? ""
    #expect(cleo.contains(#""state":"offline""#), "\(all.output)")
  }

  @Test func `with --all the line of an account that was logged out is its own`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", "--save-credentials")
    try scene.logIn(.cleo, label: "cleo", "--save-credentials")
    #expect(try scene.run("logout", "--account", "ada").exit == 0)
    let all = try scene.run(
      "restore", "--all", "--password-stdin", "--json",
      input: "\(Self.ada)\n\(FakePortalUser.cleo.password)\n")
    #expect(all.exit == 0, "\(all.errors)")
    #expect(all.output.contains(#""state":"offline""#), "\(all.output)")
  }

  @Test func `on a terminal the password is asked for without echo`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", "--save-credentials")
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      ["restore", "--password-stdin"], ChildProcess.Streams(terminal: terminal.path))
    let name = FakePortalUser.ada.emailAddress
    _ = terminal.read(until: "Password for \(name) at \(scene.portal.url): ")
    #expect(!terminal.leaks)
    terminal.write(Self.ada + "\n")
    let rest = terminal.read(until: "caused by")
    #expect(!rest.contains(Self.ada))
    #expect(rest.contains("offline"))
    terminal.drain()
    #expect(child.end().exit == 0)
  }

  @Test func `a book with a passphrase asks for that first`() throws {
    let scene = try Scene()
    let login = try scene.run(
      "login", "liferay", "--server", scene.portal.url, "--company-id", "10154", "--user",
      FakePortalUser.ada.emailAddress, "--key", "passphrase", "--save-credentials",
      "--password-stdin", input: "open sesame\n\(Self.ada)\n")
    try #require(login.exit == 0, "\(login.errors)")
    let ending = try scene.run(
      "restore", "--password-stdin", input: "open sesame\n\(Self.ada)\n")
    #expect(ending.exit == 0, "\(ending.errors)")
    let short = try scene.run("restore", "--password-stdin", input: "open sesame\n")
    #expect(short.exit == 3)
    #expect(short.errors.contains("Standard input ended"), "\(short.errors)")
  }

  @Test func `a limit of a login ends its session in whatever command resumes it`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada", "--offline-limit", "86400")
    let told = try scene.run("log", "--kind", "login.succeeded", "--json")
    #expect(told.output.contains(#""offlineLimit":86400000000"#), "\(told.output)")
    #expect(try scene.run("restore").exit == 0)
    let wrong = try scene.run(
      "login", "http", "--url", scene.portal.url, "--user", "a", "--offline-limit", "0")
    #expect(wrong.exit == 2)
    try scene.logIn(.ada, label: "ada", "--offline-limit", "1")
    scene.portal.stop()
    // Real time is the command's only clock; restoring a book does not restart it.
    var ended = try scene.run("restore", "--json")
    for _ in 0..<1000 where ended.exit == 0 { ended = try scene.run("restore", "--json") }
    #expect(ended.exit == 3, "\(ended.output)")
    #expect(ended.errors.contains("longer than its login allows"), "\(ended.errors)")
    #expect(try scene.run("whoami", "--json").output.contains(#""reason":"offlineTooLong""#))
    let again = try scene.run("restore")
    #expect(again.errors.contains("needs login (offline too long)"), "\(again.errors)")
    let all = try scene.run("restore", "--all", "--json")
    #expect(all.exit == 3)
    #expect(all.output.contains(#""state":"needsLogin""#))
  }

  @Test func `a logout after a session's end says so, and not that no page is known`() throws {
    let scene = try Scene()
    let server = try FakeIdentityServer()
    try server.start()
    let login = try scene.start(
      server.line("oidc", "password", ["--password-stdin", "--offline-limit", "1"]),
      ChildProcess.Streams(input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    // Real time is the command's only clock.
    var ended = try scene.run("restore")
    for _ in 0..<1000 where !ended.errors.contains("longer than its login allows") {
      ended = try scene.run("restore")
    }
    #expect(ended.exit == 3, "\(ended.errors)")
    let logout = try scene.run("logout")
    #expect(logout.exit == 0)
    #expect(
      logout.errors.contains("The session had already ended: needs login (offline too long)."),
      "\(logout.errors)")
    #expect(!logout.errors.contains("no known revocation endpoint"), "\(logout.errors)")
    #expect(try scene.run("sync").exit == 0)
    #expect(server.liveTokens.isEmpty)
  }

  @Test func `accounts that cannot be recorded as resumed are shown, marked so`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    let lock = "\(scene.book)-lock"
    unlink(lock)
    mkdir(lock, 0o700)
    let count = try scene.run("log", "--json").output.split(separator: "\n").count
    for (line, accounts) in [(["restore"], 1), (["restore", "--all"], 2)] {
      let json = try scene.start(line + ["--json", "--quiet"]).end()
      #expect(json.exit == 0, "\(json.errors)")
      let lines = json.output.split(separator: "\n")
      #expect(lines.count == accounts)
      for line in lines {
        #expect(line.contains(#""state":"offline""#))
        #expect(line.contains(#""recorded":false"#))
      }
      let text = try scene.start(line).end()
      #expect(text.exit == 0)
      #expect(text.errors.contains("The book could not be written"), "\(text.errors)")
    }
    rmdir(lock)
    #expect(try scene.run("log", "--json").output.split(separator: "\n").count == count)
    #expect(try !scene.run("restore", "--json").output.contains("recorded"))
  }
}
