internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Questions on a pseudo-terminal, with a shell that has job control where the program is stopped.
struct TerminalTests {
  private static let user = FakePortalUser.ben
  private static let controlZ = "\u{1A}"

  private static func line(_ scene: Scene, _ more: String...) -> [String] {
    ["login", "liferay", "--company-id", "10154", "--server", scene.portal.url] + more
  }

  private static func question(_ scene: Scene, _ user: String = user.emailAddress) -> String {
    "Password for \(user) at \(scene.portal.url): "
  }

  @Test(arguments: ["fg", "bg; wait %1; fg"])
  func `a program that is stopped at a question shows what is typed, and asks again`(
    _ back: String
  ) throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.line(scene, "--user", Self.user.emailAddress),
      ChildProcess.Streams(
        terminal: terminal.path,
        shell:
          #""$@"; echo "stopped: $?"; read line; echo "typed: $line"; \#(back); echo "ended: $?""#
      ))
    _ = terminal.read(until: Self.question(scene))
    #expect(!terminal.leaks)
    terminal.write("half" + Self.controlZ)
    // 128 and the number of SIGTSTP.
    let stopped = terminal.read(until: "stopped: 148")
    #expect(stopped.contains("stopped: 148"), "\(stopped)")
    #expect(!stopped.contains("half"))
    #expect(terminal.leaks)
    terminal.write("for the shell\n")
    let asked = terminal.read(until: Self.question(scene))
    #expect(asked.contains("typed: for the shell"), "\(asked)")
    #expect(asked.hasSuffix(Self.question(scene)), "\(asked)")
    #expect(!terminal.leaks)
    #expect(scene.portal.requests.isEmpty)
    terminal.write(Self.user.password + "\n")
    let rest = terminal.read(until: "ended: 0")
    #expect(rest.contains("active"), "\(rest)")
    #expect(!rest.contains(Self.user.password))
    #expect(terminal.leaks)
    _ = child.end()
  }

  private static let shells = ["/bin/sh", "/bin/bash"]

  /// The shell's own terminal is looked at by a program that the shell runs: while it waits for a
  /// line, the shell may have turned the echo off itself.
  @Test(arguments: shells, [true, false])
  func `an interactive shell keeps its terminal while a question waits in the background`(
    _ shell: String, _ beginsThere: Bool
  ) throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try ChildProcess(
      shell == "/bin/bash" ? ["--norc", "-i"] : ["-i"], in: scene,
      environment: scene.environment.merging(
        ["PATH": "/usr/bin:/bin", "PS1": "> ", "TERM": "dumb"]) { $1 },
      streams: ChildProcess.Streams(terminal: terminal.path), program: shell)
    let line = [try ChildProcess.program()] + Self.line(scene, "--user", Self.user.emailAddress)
    _ = terminal.read(until: "> ")
    terminal.write(line.joined(separator: " ") + (beginsThere ? " &\n" : "\n"))
    if !beginsThere {
      let asked = terminal.read(until: Self.question(scene))
      try #require(asked.hasSuffix(Self.question(scene)), "\(asked)")
      terminal.write(Self.controlZ)
      _ = terminal.read(until: "> ")
      terminal.write("bg\n")
    }
    // Shells call it `Stopped (tty input)` or `Stopped(SIGTTIN)`; bash tells it with -l alone.
    let jobs = scene.folder + "/jobs"
    terminal.write("until jobs -l > \(jobs); grep -q 'topped.*[(].*[tT][tT]' \(jobs); do :; done\n")
    terminal.write("stty -a; echo shell-$((40 + 2))\n")
    let stopped = terminal.read(until: "shell-42")
    try #require(stopped.contains("shell-42"), "\(stopped)")
    // The letters of the command that was typed must not be taken for the answer.
    #expect(stopped.contains(" echo echoe "), "\(stopped)")
    #expect(stopped.contains(" icanon "), "\(stopped)")
    // What is typed goes to the shell.
    terminal.write("read line; echo \"typed: $line\"\nfor the shell\n")
    let typed = terminal.read(until: "typed: for the shell")
    try #require(typed.contains("typed: for the shell"), "\(typed)")
    #expect(scene.portal.requests.isEmpty)
    terminal.write("fg; echo \"ended: $?\"; stty -a; echo shell-$((50 + 2))\n")
    let asked = terminal.read(until: Self.question(scene))
    try #require(asked.hasSuffix(Self.question(scene)), "\(asked)")
    #expect(!terminal.leaks)
    terminal.write(Self.user.password + "\n")
    let rest = terminal.read(until: "shell-52")
    #expect(rest.contains("active"), "\(rest)")
    #expect(rest.contains("ended: 0"), "\(rest)")
    #expect(rest.contains(" echo echoe "), "\(rest)")
    #expect(!rest.contains(Self.user.password))
    child.signal(SIGKILL)
    _ = child.end()
  }

  /// The pager sets the terminal before the question or not at all, reads one byte, and has set the
  /// terminal back before the program ends.
  @Test(arguments: ["stty -icanon -echo", "stty -icanon -echo -isig", ":"])
  func `a pager finds the terminal as it left it, and so does the shell`(_ pager: String) throws {
    let scene = try Scene()
    // More than a pipe holds.
    let body = String(repeating: "A line of a long answer.\n", count: 20_000)
    let server = try LoopbackServer { request in
      guard request.basicCredentials?.name == "ada" else {
        return .text("Who?\n", status: 401, fields: ["WWW-Authenticate": #"Basic realm="x""#])
      }
      return .text(body)
    }
    try server.start()
    defer { server.stop() }
    let url = "http://127.0.0.1:\(server.port)/"
    let login = try scene.run(
      "login", "http", "--url", url, "--user", "ada", "--key", "passphrase", "--password-stdin",
      input: "open sesame\npw\n")
    try #require(login.exit == 0, "\(login.errors)")
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      ["request", url],
      ChildProcess.Streams(
        terminal: terminal.path,
        shell: #"""
          before=$(stty -g); \#(pager); own=$(stty -g)
          "$@" | {
            first=$(head -c 1); test "$own" = "$(stty -g </dev/tty)"; echo "$first: $?"
            stty "$before" </dev/tty
          }
          test "$before" = "$(stty -g)"; echo "ended: $?"
          """#))
    let asked = terminal.read(until: "Passphrase of the book: ")
    try #require(asked.hasSuffix("Passphrase of the book: "), "\(asked)")
    #expect(!terminal.leaks)
    terminal.write("open sesame\n")
    let rest = terminal.read(until: "ended: 0")
    #expect(rest.contains("A: 0"), "\(rest)")
    #expect(rest.contains("ended: 0"), "\(rest)")
    #expect(!rest.contains("sesame"))
    #expect(terminal.leaks)
    child.signal(SIGKILL)
    _ = child.end()
  }

  @Test func `a program that is stopped twice asks a third time, and once each`() throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.line(scene, "--user", "ben"),
      ChildProcess.Streams(
        terminal: terminal.path, shell: #""$@"; fg >/dev/null; fg >/dev/null; echo "ended: $?""#))
    let question = Self.question(scene, "ben")
    for _ in 1...2 {
      _ = terminal.read(until: question)
      terminal.write(Self.controlZ)
    }
    #expect(terminal.read(until: question).ranges(of: question).count == 1)
    #expect(!terminal.leaks)
    terminal.write("\u{3}")
    _ = terminal.read(until: "ended: 130")
    #expect(terminal.leaks)
    _ = child.end()
  }

  @Test func `a program that is stopped while it waits for a server continues without a question`()
    throws
  {
    let scene = try Scene()
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .invoke)
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.line(scene, "--user", Self.user.emailAddress),
      ChildProcess.Streams(
        terminal: terminal.path,
        shell: #""$@"; echo "stopped: $?"; bg >/dev/null; wait %1; echo "ended: $?""#))
    _ = terminal.read(until: Self.question(scene))
    terminal.write(Self.user.password + "\n")
    try wait(for: "request") { !scene.portal.requests.isEmpty }
    #expect(!terminal.leaks)
    terminal.write(Self.controlZ)
    _ = terminal.read(until: "stopped: 148")
    #expect(terminal.leaks)
    door.open()
    let rest = terminal.read(until: "ended: 0")
    #expect(rest.contains("active"), "\(rest)")
    #expect(terminal.leaks)
    _ = child.end()
  }

  @Test(arguments: ["\u{1C}", "\u{3}"])
  func `who quits or cancels at a question has a terminal that shows what is typed`(
    _ key: String
  ) throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.line(scene, "--user", "ben"), ChildProcess.Streams(terminal: terminal.path))
    _ = terminal.read(until: Self.question(scene, "ben"))
    #expect(!terminal.leaks)
    terminal.write(key)
    _ = terminal.readAll(of: child)
    #expect(child.end().exit == (key == "\u{3}" ? 130 : -SIGQUIT))
    #expect(terminal.leaks)
  }

  @Test func `a second Ctrl-C gives the terminal back too`() throws {
    let scene = try Scene()
    let door = Door()
    defer { door.open() }
    scene.portal.inject(door.fault, on: .invoke)
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.line(scene, "--user", Self.user.emailAddress),
      ChildProcess.Streams(terminal: terminal.path))
    _ = terminal.read(until: Self.question(scene))
    terminal.write(Self.user.password + "\n")
    try wait(for: "request") { !scene.portal.requests.isEmpty }
    terminal.write("\u{3}\u{3}")
    _ = terminal.readAll(of: child)
    #expect(child.end().exit == 130)
    #expect(terminal.leaks)
  }

  @Test func `what is typed ahead is neither shown nor taken for the next answer`() throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.line(scene, "--key", "passphrase"), ChildProcess.Streams(terminal: terminal.path))
    let questions = [
      "Passphrase of the book: ", "The passphrase again: ", "User at \(scene.portal.url): ",
      Self.question(scene),
    ]
    let answers = ["open sesame", "open sesame", Self.user.emailAddress, Self.user.password]
    var shown = ""
    for (question, answer) in zip(questions, answers) {
      let asked = terminal.read(until: question)
      try #require(asked.hasSuffix(question), "\(asked)")
      shown += asked
      #expect(!terminal.leaks)
      // At once, as who does not look at the screen.
      terminal.write(answer + "\ncanary-one\ncanary-two\n")
    }
    shown += terminal.read(until: "caused by")
    #expect(shown.contains("active"), "\(shown)")
    #expect(!shown.contains("canary"), "\(shown)")
    #expect(!shown.contains("sesame"))
    #expect(!shown.contains(Self.user.password))
    // The user's name is nothing to hide.
    #expect(shown.contains("\(questions[2])\(Self.user.emailAddress)\r\n"), "\(shown)")
    _ = terminal.readAll(of: child)
    #expect(child.end().exit == 0)
    #expect(terminal.leaks)
  }

  @Test func `a name is edited as on any terminal, and asked for again with what was typed`() throws
  {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.line(scene),
      ChildProcess.Streams(terminal: terminal.path, shell: #""$@"; fg >/dev/null"#))
    let question = "User at \(scene.portal.url): "
    _ = terminal.read(until: question)
    terminal.write("no one\u{15}äx\u{7F}\u{7F}a b\u{17}da")
    _ = terminal.read(until: "da")
    terminal.write(Self.controlZ)
    var again = terminal.read(until: question)
    if !again.hasSuffix("da") { again += terminal.read(until: "da") }
    #expect(again.contains(question), "\(again)")
    #expect(again.hasSuffix("da"), "\(again)")
    terminal.write("\n")
    _ = terminal.read(until: Self.question(scene, "a da"))
    terminal.write("\u{3}")
    _ = terminal.readAll(of: child)
    _ = child.end()
  }

  private static let portal = "liferay --company-id 1 --by screen-name --server"
  private static let grant = "--client-id app --flow password --user ada"

  @Test(arguments: [
    ("\(portal) http://files.example --user ada", 3, "--allow-cleartext"),
    ("\(portal) https://files.example --user ada --ca-file /etc/passwd", 1, "/etc/passwd"),
    ("\(portal) https://files.example --user ada --label 12", 2, "label"),
    ("\(portal) https://files.example --user ada --accept-key sha256/x", 2, "--accept-key"),
    ("\(portal) http://127.0.0.1:1 --user a:b", 1, "colon"),
    (
      "mobilefirst --server http://files.example/mfp --app app --check UserLogin --user ada", 3,
      "--allow-cleartext"
    ),
    ("http --url http://files.example/ --user ada", 3, "--allow-cleartext"),
    (
      "form --url http://files.example/in --check http://files.example/me --user ada", 3,
      "--allow-cleartext"
    ),
    ("fcsdk --server http://files.example --user ada", 3, "--allow-cleartext"),
    (
      "oauth2 --token-url http://files.example/t --check http://files.example/me \(grant)", 3,
      "--allow-cleartext"
    ),
    ("oidc --issuer http://files.example \(grant)", 3, "https"),
  ])
  func `what no password makes right is refused before any is asked for`(
    _ command: String, _ exit: Int32, _ reason: String
  ) throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      ["login"] + command.split(separator: " ").map(String.init) + ["--key", "passphrase"],
      ChildProcess.Streams(terminal: terminal.path))
    let shown = terminal.readAll(of: child)
    #expect(!shown.contains("Passphrase") && !shown.contains("Password for"), "\(shown)")
    #expect(shown.contains(reason), "\(shown)")
    #expect(child.end().exit == exit, "\(shown)")
    #expect(access(scene.book, F_OK) != 0)
  }

  @Test func `the question for a client's secret names the client and the server`() throws {
    let scene = try Scene()
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      [
        "login", "oauth2", "--token-url", "http://127.0.0.1:9/token", "--check",
        "http://127.0.0.1:9/me", "--client-id", "app", "--client-auth", "basic", "--flow",
        "password", "--user", "ada",
      ], ChildProcess.Streams(terminal: terminal.path))
    _ = terminal.read(until: "Password for ada at http://127.0.0.1:9: ")
    terminal.write("x\n")
    let question = "Client secret for app at http://127.0.0.1:9: "
    #expect(terminal.read(until: question).contains(question))
    #expect(!terminal.leaks)
    terminal.write("\u{3}")
    _ = terminal.readAll(of: child)
    #expect(child.end().exit == 130)
  }

  @Test func `a label that is another account's is refused before the password is asked for`()
    throws
  {
    let scene = try Scene()
    try scene.logIn(.ada, label: "files")
    let terminal = try PseudoTerminal()
    let child = try scene.start(
      Self.line(scene, "--user", Self.user.emailAddress, "--label", "files"),
      ChildProcess.Streams(terminal: terminal.path))
    let shown = terminal.readAll(of: child)
    #expect(!shown.contains("Password"), "\(shown)")
    #expect(shown.contains("Another account has this label."), "\(shown)")
    #expect(child.end().exit == 1)
  }
}
