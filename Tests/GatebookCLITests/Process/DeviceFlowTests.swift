internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// `login oidc` and `login oauth2` by a code for another device.
struct DeviceFlowTests {
  private static let commands = ["oidc", "oauth2"]

  private let scene: Scene
  private let server: FakeIdentityServer

  init() throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    try server.start()
  }

  private func notes() throws -> String {
    try scene.run("request", server.url + "/notes").output
  }

  @Test(arguments: commands)
  func `a code for another device is shown, and the login waits`(_ command: String) throws {
    server.settings.pendingPolls = 1
    let child = try scene.start(server.line(command, "device"))
    #expect(try child.page() == server.url + "/enter")
    #expect(child.nextError() == "enter WDJB-MJHT\n")
    #expect(
      child.nextError()
        == "Waiting for you to finish there, for up to 10 minutes. Ctrl-C cancels.\n")
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""method":"\#(command)""#))
    #expect(try notes() == "The notes of ada.\n")
    let log = try scene.run("log", "--json").output
    #expect(log.contains(#""kind":"challenge.answered""#))
    #expect(!log.contains("WDJB"))
  }

  @Test func `with --quiet too the code is shown`() throws {
    let child = try scene.start(server.line("oidc", "device", ["--quiet"]))
    _ = try child.page()
    #expect(child.nextError() == "enter WDJB-MJHT\n")
    let ending = child.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.errors.isEmpty)
  }

  @Test func `the person who denies on the other device cancels the login`() throws {
    server.settings.denies = true
    let ending = try scene.start(server.line("oidc", "device")).end()
    #expect(ending.exit == 130, "\(ending.errors)")
    #expect(ending.errors.contains(#""code":"challenge.cancelled""#))
    #expect(try scene.run("accounts", "--json").output.isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func `a signal ends the wait for the other device`(_ signal: Int32) throws {
    server.settings.clientProof = .basic
    server.settings.pendingPolls = .max
    let file = try scene.secretFile(FakeIdentityServer.secret)
    let child = try scene.start(server.line("oidc", "device", ["--client-secret-file", file]))
    _ = try child.page()
    child.signal(signal)
    let ending = child.end()
    #expect(ending.exit == 130, "\(ending.errors)")
    let log = try scene.run("log", "--json").output
    #expect(log.contains(#""kind":"login.cancelled""#))
    #expect(!log.contains(#""kind":"challenge.answered""#), "nobody has entered the code")
    #expect(log.contains(#""kind":"challenge.cancelled""#))
    let later = try scene.run("login", "--resume")
    #expect(later.exit == 1, "\(later.errors)")
    #expect(later.errors.contains("No login is waiting for a code."))
  }

  @Test func `another process continues a killed process's waiting login`() throws {
    server.settings.pendingPolls = .max
    let child = try scene.start(server.line("oidc", "device", ["--label", "mine"]))
    _ = try child.page()
    child.signal(SIGKILL)
    #expect(child.end().exit == -SIGKILL)
    server.settings.pendingPolls = 0
    let next = try scene.start(["login", "--resume", "--json"])
    #expect(try next.page() == server.url + "/enter")
    #expect(next.nextError() == "enter WDJB-MJHT\n")
    let ending = next.end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""label":"mine""#))
    #expect(try notes() == "The notes of ada.\n")
  }

  @Test func `a picture of the page is on a terminal, and only there`() throws {
    let terminal = try PseudoTerminal(columns: 100)
    let child = try scene.start(
      server.line("oidc", "device"), ChildProcess.Streams(terminal: terminal.path))
    let shown = terminal.read(until: "Ctrl-C cancels.")
    terminal.drain()
    #expect(child.end().exit == 0)
    #expect(try QRReader.text(of: shown) == server.url + "/enter")
  }

  @Test func `a terminal too narrow for the picture has none`() throws {
    let terminal = try PseudoTerminal(columns: 30)
    let child = try scene.start(
      server.line("oidc", "device"), ChildProcess.Streams(terminal: terminal.path))
    let shown = terminal.read(until: "Ctrl-C cancels.")
    terminal.drain()
    #expect(child.end().exit == 0)
    #expect(shown.contains("enter WDJB-MJHT"))
    #expect(!shown.contains("█"))
  }
}
