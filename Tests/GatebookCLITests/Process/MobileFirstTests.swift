internal import Gatebook
internal import GatebookTestSupport
internal import Testing

@testable internal import GatebookCLI

/// Security checks, tokens and their end, on a fake MobileFirst server.
struct MobileFirstTests {
  private let server: FakeMobileFirstServer
  private let scene: Scene

  init() throws {
    scene = try Scene()
    server = try FakeMobileFirstServer()
    try server.start()
  }

  private func line(_ check: String = "StepUpUserLogin") -> [String] {
    [
      "login", "mobilefirst", "--server", server.url + "/mfp", "--app", "com.example.app",
      "--app-version", "1.0", "--check", check, "--user", "john",
    ]
  }

  private func logIn() throws {
    let ending = try scene.start(
      line() + ["--password-stdin", "--json"], ChildProcess.Streams(input: "john123\n")
    ).end()
    try #require(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output.contains(#""method":"mobilefirst""#))
    #expect(ending.output.contains(#""user":"john""#))
  }

  @Test func `a login brings tokens, and a check that named the user ends it`() throws {
    defer { server.stop() }
    try logIn()
    let first = try scene.run("token")
    #expect(first.exit == 0, "\(first.errors)")
    #expect(first.output.count > 2)
    #expect(try scene.run("token").output == first.output)
    let fresh = try scene.run("token", "--min-lifetime", "100000", "--json")
    #expect(fresh.exit == 0, "\(fresh.errors)")
    #expect(fresh.output.hasPrefix(#"{"token":""#))
    #expect(!fresh.output.contains(first.output.dropLast()))
    let log = try scene.run("log", "--json").output
    #expect(!log.contains(first.output.dropLast()))
    let ended = try scene.run("logout", "--check", "StepUpUserLogin", "--json")
    #expect(ended.exit == 0, "\(ended.errors)")
    #expect(ended.output.contains(#""state":"ended""#))
    #expect(try scene.run("token").exit == 3)
    #expect(try scene.run("logout", "--check", "x", "--all").exit == 2)
  }

  @Test func `the logout of a check that the server does not know ends nothing, and says so`()
    throws
  {
    defer { server.stop() }
    try logIn()
    let ending = try scene.run("logout", "--check", "UserLogni")
    #expect(ending.exit == 4)
    #expect(ending.output.contains("active"))
    #expect(ending.errors.contains("did not end the check: it answered 400"), "\(ending.errors)")
    #expect(ending.errors.contains("`--check`"))
    #expect(try scene.run("logout", "--check", "PinCode").exit == 0)
    server.stop()
    let away = try scene.run("logout", "--check", "PinCode")
    #expect(away.exit == 4)
    #expect(away.errors.contains("The server was not reached."), "\(away.errors)")
    let last = try scene.run("logout", "--check", "StepUpUserLogin")
    #expect(last.exit == 0)
    #expect(last.errors.contains("The session has ended here."), "\(last.errors)")
  }

  @Test func `a wrong answer is 3, and on a terminal it is asked for again`() throws {
    defer { server.stop() }
    let wrong = try scene.start(
      line() + ["--password-stdin"], ChildProcess.Streams(input: "canary\n")
    ).end()
    #expect(wrong.exit == 3, "\(wrong.errors)")
    #expect(!wrong.errors.contains("canary"))
    #expect(try scene.run("accounts", "--json").output.isEmpty)
    let terminal = try PseudoTerminal()
    let child = try scene.start(line(), ChildProcess.Streams(terminal: terminal.path))
    _ = terminal.read(until: "Password of john: ")
    terminal.write("canary\n")
    let again = terminal.read(until: "Password of john: ")
    #expect(again.contains("Attempts left: "))
    terminal.write("john123\n")
    #expect(terminal.read(until: "caused by").contains("active"))
    terminal.drain()
    #expect(child.end().exit == 0)
  }

  @Test func `other accounts have no token to print`() throws {
    defer { server.stop() }
    try scene.logIn(.ada)
    let ending = try scene.run("token")
    #expect(ending.exit == 1)
    #expect(ending.output.isEmpty)
  }
}
