internal import Gatebook
internal import GatebookFakes
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
    #expect(away.errors.contains("The server could not be reached"), "\(away.errors)")
    let last = try scene.run("logout", "--check", "StepUpUserLogin")
    #expect(last.exit == 0)
    #expect(last.errors.contains("The session in the book has ended."), "\(last.errors)")
  }

  @Test func `a server that is not trusted did not end a check, and that is 8`() throws {
    server.stop()
    let identity = try TestCertificate.selfSigned()
    let secure = try FakeMobileFirstServer(tls: LoopbackTLS(identity))
    try secure.start()
    defer { secure.stop() }
    let login = try scene.start(
      [
        "login", "mobilefirst", "--server", secure.url + "/mfp", "--app", "com.example.app",
        "--app-version", "1.0", "--check", "StepUpUserLogin", "--user", "john", "--accept-key",
        identity.pin, "--password-stdin",
      ], ChildProcess.Streams(input: "john123\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    #expect(try scene.run("trust", "revoke").exit == 0)
    let ending = try scene.run("logout", "--check", "PinCode")
    #expect(ending.exit == 8, "\(ending.errors)")
    #expect(ending.errors.contains("The server is not trusted"), "\(ending.errors)")
    #expect(!ending.errors.contains("reached"), "\(ending.errors)")
    let last = try scene.run("logout", "--check", "StepUpUserLogin")
    #expect(last.exit == 0, "\(last.errors)")
    #expect(last.errors.contains("The server is not trusted"), "\(last.errors)")
    #expect(last.errors.contains("The session in the book has ended."), "\(last.errors)")
  }

  @Test func `a wrong answer is 3, and on a terminal it is asked for again`() throws {
    defer { server.stop() }
    let wrong = try scene.start(
      line() + ["--password-stdin"], ChildProcess.Streams(input: "canary\n")
    ).end()
    #expect(wrong.exit == 3, "\(wrong.errors)")
    #expect(!wrong.errors.contains("canary"))
    #expect(wrong.errors.contains("(attempts left: 2)\n  No session was changed.\n"))
    #expect(wrong.errors.contains("\n  Log in again with the right user name and password.\n"))
    #expect(!wrong.errors.contains("flow "), "\(wrong.errors)")
    #expect(try scene.run("accounts", "--json").output.isEmpty)
    let failed = try scene.run("log", "--failed", "--json").output.split(separator: "\n")
    #expect(failed.count == 2)
    for (line, kind) in zip(failed, ["challenge.failed", "login.failed"]) {
      #expect(line.contains(#""kind":"\#(kind)""#), "\(line)")
      #expect(line.contains(#""code":"credentials.refused""#), "\(line)")
    }
    #expect(try !scene.run("log", "--json").output.contains(#""kind":"login.cancelled""#))
    let terminal = try PseudoTerminal()
    let child = try scene.start(line(), ChildProcess.Streams(terminal: terminal.path))
    _ = terminal.read(until: "Password for john at \(server.url): ")
    terminal.write("canary\n")
    let again = terminal.read(until: "Password for john at \(server.url): ")
    #expect(again.contains("Attempts left: "))
    terminal.write("john123\n")
    #expect(terminal.read(until: "caused by").contains("active"))
    terminal.drain()
    #expect(child.end().exit == 0)
  }

  @Test func `durations and times have their units for people, and JSON has the integers`()
    throws
  {
    defer { server.stop() }
    try logIn()
    #expect(try scene.run("token").exit == 0)
    let json = try scene.run("log", "--kind", "token.granted", "--json").output
    let microseconds = try #require(json.firstMatch(of: /"lifetime":(\d+)\d{6}/)).output.1
    let seconds = try #require(Int64(microseconds))
    let text = Duration.seconds(seconds).units
    let log = try scene.run("log", "--kind", "token.granted").output
    #expect(log.contains("lifetime=\(text.replacing(" ", with: ""))"), "\(log)")
    let position = try #require(json.firstMatch(of: /"position":(\d+)/)).output.1
    #expect(try scene.run("show", String(position)).output.contains("lifetime  \(text)\n"))
    let whoami = try scene.run("whoami").output
    let expected = /authenticatedAt +\d{13} \(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\)\n/
    #expect(whoami.firstMatch(of: expected) != nil, "\(whoami)")
    #expect(
      try scene.run("whoami", "--json").output.firstMatch(of: /"authenticatedAt":\d{13},/) != nil)
  }

  @Test func `other accounts have no token to print`() throws {
    defer { server.stop() }
    try scene.logIn(.ada)
    let ending = try scene.run("token")
    #expect(ending.exit == 1)
    #expect(ending.output.isEmpty)
  }
}
