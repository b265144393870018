internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

struct PasswordTests {
  private static let login = ["login", "liferay", "--company-id", "10154", "--server"]

  @Test func `on a terminal the password is asked for and not shown`() throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let user = FakePortalUser.ben
    let child = try scene.start(
      Self.login + [scene.portal.url, "--user", user.emailAddress],
      ChildProcess.Streams(terminal: terminal.path))
    let question = terminal.read(
      until: "Password for \(user.emailAddress) at \(scene.portal.url): ")
    #expect(question.hasSuffix(": "))
    terminal.write(user.password + "\n")
    let rest = terminal.read(until: "caused by")
    #expect(!rest.contains(user.password))
    #expect(rest.contains("active"))
    terminal.drain()
    #expect(child.end().exit == 0)
    #expect(terminal.leaks)
  }

  @Test func `a cancelled question gives the terminal back as it was`() throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.login + [scene.portal.url, "--user", "ada"],
      ChildProcess.Streams(terminal: terminal.path))
    _ = terminal.read(until: "Password for ada at \(scene.portal.url): ")
    #expect(!terminal.leaks)
    child.signal(SIGINT)
    _ = terminal.read(until: "Cancelled.")
    terminal.drain()
    #expect(child.end().exit == 130)
    #expect(terminal.leaks)
  }

  @Test func `without a terminal and without --password-stdin nobody waits`() throws {
    let scene = try Scene()
    let ending = try scene.run(
      "login", "liferay", "--server", scene.portal.url, "--user", "ada")
    #expect(ending.exit == 3)
    #expect(ending.errors.contains("--password-stdin"))
  }

  @Test func `user and password come from standard input in the order asked`() throws {
    let scene = try Scene()
    let user = FakePortalUser.ben
    let ending = try scene.start(
      Self.login + [scene.portal.url, "--password-stdin"],
      ChildProcess.Streams(input: "\(user.emailAddress)\n\(user.password)\n")
    ).end()
    #expect(ending.exit == 0, "\(ending.errors)")
  }

  @Test func `a passphrase from a private file opens the book, others do not`() throws {
    let scene = try Scene()
    let file = "\(scene.folder)/passphrase"
    try TextFile.write(Array("correct horse\n".utf8), to: file)
    chmod(file, 0o600)
    let environment = ["GATEBOOK_PASSPHRASE_FILE": file]
    let user = FakePortalUser.ben
    let made = try scene.start(
      Self.login + [
        scene.portal.url, "--password-stdin", "--user", user.emailAddress, "--key", "passphrase",
      ], ChildProcess.Streams(input: user.password + "\n"), environment: environment
    ).end()
    #expect(made.exit == 0, "\(made.errors)")
    #expect(try scene.run("restore", environment: environment).exit == 0)
    // `log` has no `--password-stdin`: the advice must be one that helps.
    let unasked = try scene.run("log", "--key", "passphrase")
    #expect(unasked.exit == 7)
    #expect(unasked.errors.contains("GATEBOOK_PASSPHRASE_FILE"), "\(unasked.errors)")
    #expect(!unasked.errors.contains("--password-stdin"))
    for line in [["restore", "--json"], ["restore", "--json", "--password-stdin"]] {
      let ending = try scene.start(line).end()
      #expect(ending.exit == 7, "\(ending.errors)")
      #expect(ending.errors.contains(#""code":"key.missing""#), "\(ending.errors)")
      #expect(ending.errors.contains("GATEBOOK_PASSPHRASE_FILE"), "\(ending.errors)")
      #expect(ending.errors.contains("`--password-stdin`"), "\(ending.errors)")
      #expect(!ending.errors.contains("--key file:"), "\(ending.errors)")
    }
    let sealed = try scene.run("whoami", "--json")
    #expect(sealed.exit == 0)
    #expect(sealed.output.contains(#""user":"sealed""#))
    try TextFile.write(Array("wrong horse\n".utf8), to: file)
    chmod(file, 0o600)
    let wrong = try scene.run("restore", environment: environment)
    #expect(wrong.exit == 7)
    #expect(wrong.errors.contains("wrong passphrase"), "\(wrong.errors)")
    #expect(!wrong.errors.contains("file:"), "\(wrong.errors)")
    chmod(file, 0o644)
    #expect(try scene.run("restore", environment: environment).exit == 7)
  }

  @Test func `the place of a key file is advised once`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let ending = try scene.run("restore", "--key", "file:/none/such")
    #expect(ending.exit == 7)
    #expect(ending.errors.ranges(of: "--key file:PATH").count == 1, "\(ending.errors)")
  }

  @Test func `no password is in the process's arguments, environment or output`() async throws {
    let scene = try Scene()
    scene.portal.inject(.stallBeforeActing, on: .invoke, times: nil)
    let child = try scene.start(
      Self.login + [
        scene.portal.url, "--user", "ada", "--password-stdin", "--timeout", "600",
      ],
      ChildProcess.Streams(input: "canary-password\n"))
    _ = await scene.portal.requests(atLeast: 1)
    let place = "/proc/\(child.id)"
    var visible = try TextFile.read(place + "/cmdline", what: "arguments")
    // The process forbids to be looked into: only root can.
    if geteuid() == 0 { visible += try TextFile.read(place + "/environ", what: "environment") }
    #expect(visible.contains("--password-stdin"))
    #expect(!visible.contains("canary"))
    child.signal(SIGTERM)
    let ending = child.end()
    #expect(!(ending.output + ending.errors).contains("canary"))
  }
}
