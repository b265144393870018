internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Programs that `gatebook exec` runs: their token, and that they run as without Gatebook.
struct ExecTests {
  private let at: ExecScene

  init() throws {
    at = try ExecScene()
  }

  @Test(arguments: TokenWay.allCases)
  func `a program gets the token that gatebook token prints`(_ way: TokenWay) throws {
    let ending = try at.start(["work"] + way.options, way.show).end()
    #expect(ending.exit == 0, "\(ending.errors)")
    #expect(ending.output == (try at.token()))
    #expect(ending.errors.isEmpty, "\(ending.errors)")
    #expect(try at.leftovers().isEmpty)
  }

  @Test func `the file is this user's alone, in a folder that is too`() throws {
    let ending = try at.start(
      ["--file", "T"],
      #"printf '%s\n' "$T"; stat -c '%a %F' "$T" "${T%/*}"; ls -A "${T%/*}""#
    ).end()
    let lines = ending.output.split(separator: "\n")
    try #require(lines.count == 4, "\(ending.output)\(ending.errors)")
    #expect(lines[0].hasPrefix("\(at.runtime)/gatebook-exec-"))
    #expect(lines[1...] == ["600 regular file", "700 directory", "token"])
  }

  @Test(arguments: TokenWay.allCases)
  func `the token is in no argument, and in the environment only where that was asked for`(
    _ way: TokenWay
  ) throws {
    let token = try at.token()
    let child = try at.start(
      way.options, "echo ready; read -r line", ChildProcess.Streams(hasMoreInput: true))
    #expect(child.read(until: "ready").contains("ready"))
    for process in try ExecScene.processes() {
      #expect(!ExecScene.text("cmdline", of: process).contains(token))
    }
    #expect(ExecScene.text("environ", of: child.id).contains(token) == (way == .env))
    if TokenWay.renewed.contains(way) {
      if way == .file {
        let renewer = try at.renewer()
        #expect(!ExecScene.text("environ", of: renewer).contains(token))
      }
      #expect(!(try at.leftovers().joined()).contains(token))
    }
    child.write("\n")
    #expect(child.end().exit == 0)
  }

  @Test(arguments: TokenWay.allCases)
  func `the program takes the process of gatebook, and has no child that it did not start`(
    _ way: TokenWay
  ) throws {
    // A shell that waits for a child which it did not start would wait for ever.
    let child = try at.start(
      way.options,
      "echo $$ $PPID; cat /proc/$$/task/$$/children; echo; cut -d' ' -f5,6 /proc/$$/stat")
    let ending = child.end()
    let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "\(child.id) \(getpid())", "\(ending.errors)")
    // Only `cat` itself.
    let children = lines.dropFirst().first?.split(separator: " ").filter { !$0.isEmpty } ?? []
    #expect(children.count <= 1, "\(ending.output)")
    #expect(ending.output.contains("\(child.id) \(child.id)\n"), "\(ending.output)")
  }

  @Test(arguments: TokenWay.allCases)
  func `nothing of gatebook leaks into the program`(_ way: TokenWay) throws {
    let ending = try at.start(
      way.options,
      """
      ls /proc/$$/fd
      grep -E '^Sig(Blk|Ign):' /proc/self/status
      """, ChildProcess.Streams(shell: ExecScene.closing)
    ).end()
    let lines = ending.output.split(separator: "\n")
    // A shell may keep its script's descriptor at 10 or above. A pipe in the script, or a pattern,
    // would be one of its descriptors.
    let open = lines.compactMap { Int($0) }.filter { $0 < 10 }
    #expect(open == (way == .fd ? [0, 1, 2, 7] : [0, 1, 2]))
    let signals = lines.filter { $0.hasPrefix("Sig") }
    try #require(signals.count == 2, "\(ending.output)\(ending.errors)")
    #expect(signals[0].hasSuffix("0000000000000000"), "\(signals[0])")
    // `posix_spawn` of the tests leaves signals 32 and 33 ignored, which are the C library's own.
    let ignored = signals[1].split(separator: "\t").last.flatMap { UInt64($0, radix: 16) }
    #expect(ignored.map { $0 & ~0x1_8000_0000 } == 0, "\(signals[1])")
  }

  @Test(arguments: TokenWay.allCases)
  func `what the program inherits without gatebook it inherits with it`(_ way: TokenWay) throws {
    let streams = ChildProcess.Streams(
      input: "from the test\n",
      shell: #"ulimit -c 0; trap '' HUP QUIT; exec 5<"$1" "$@""#)
    let child = try at.start(
      way.options,
      """
      read -r line; echo "$line"; ulimit -c; grep ^SigIgn: /proc/self/status
      test -e /proc/$$/fd/5 && echo five; umask; pwd
      """, streams)
    let ending = child.end()
    #expect(ending.output.hasPrefix("from the test\n0\n"), "\(ending.output)\(ending.errors)")
    #expect(ending.output.contains(/SigIgn:\t00000000[08]0000005\nfive\n/), "\(ending.output)")
  }

  @Test func `core dumps are allowed again where the shell allows them`() throws {
    let streams = ChildProcess.Streams(shell: #"ulimit -c unlimited && exec "$@""#)
    let ending = try at.start(["--env", "T"], "ulimit -Sc", streams).end()
    #expect(ending.output == "unlimited\n", "\(ending.errors)")
  }

  @Test(arguments: TokenWay.allCases, [0, 1, 7, 255])
  func `the exit is the program's`(_ way: TokenWay, _ exit: Int32) throws {
    #expect(try at.start(way.options, "exit \(exit)").end().exit == exit)
  }

  @Test(
    arguments: TokenWay.allCases,
    [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGWINCH, SIGCONT])
  func `a signal reaches the program once`(_ way: TokenWay, _ signal: Int32) throws {
    let child = try at.start(
      way.options,
      """
      trap 'echo got' \(signal); trap 'exit 9' PIPE; echo ready
      while :; do sleep 0.01; done
      """)
    #expect(child.read(until: "ready\n").contains("ready"))
    child.signal(signal)
    #expect(child.read(until: "got\n") == "got\n")
    child.signal(SIGPIPE)
    let ending = child.end()
    #expect(ending.exit == 9)
    #expect(ending.output.isEmpty, "\(ending.output)")
  }

  @Test(arguments: TokenWay.allCases, [SIGTERM, SIGKILL, SIGINT])
  func `a signal that ends the program is what ended gatebook, and nothing is left`(
    _ way: TokenWay, _ signal: Int32
  ) throws {
    let child = try at.start(way.options, "echo ready; while :; do sleep 0.01; done")
    #expect(child.read(until: "ready\n").contains("ready"))
    child.signal(signal)
    let ending = child.end()
    #expect(ending.exit == -signal)
    #expect(ending.errors.isEmpty, "\(ending.errors)")
    #expect(try at.leftovers().isEmpty)
  }

  @Test func `a program can be stopped and continued from its terminal`() throws {
    let terminal = try PseudoTerminal()
    let child = try at.start(
      TokenWay.file.options, "echo ready; read -r line; echo \"again $line\"",
      ChildProcess.Streams(
        terminal: terminal.path, shell: #""$@"; echo "stopped $?"; fg; echo "ended $?""#))
    _ = terminal.read(until: "ready")
    // Ctrl-Z.
    terminal.write("\u{1A}")
    _ = terminal.read(until: "stopped ")
    terminal.write("line\n")
    let shown = terminal.readAll(of: child)
    #expect(shown.contains("again line"), "\(shown)")
    #expect(shown.contains("ended 0"), "\(shown)")
    #expect(child.end().exit == 0)
    #expect(try at.leftovers().isEmpty)
  }

  @Test(arguments: TokenWay.allCases)
  func `Ctrl-C at the terminal reaches the program once`(_ way: TokenWay) throws {
    let script = """
      count=0; trap 'count=$((count + 1)); echo got' INT; echo ready
      until read -r line; do :; done; exit $((40 + count))
      """
    let (terminal, child) = try startAtTerminal(way, script)
    terminal.write("\u{3}")
    #expect(terminal.read(until: "got").contains("got"))
    terminal.write("line\n")
    #expect(terminal.readAll(of: child).contains("ended 41"))
    #expect(try at.leftovers().isEmpty)
  }

  @Test(arguments: TokenWay.allCases)
  func `Ctrl-C at the terminal ends a program that does not catch it`(_ way: TokenWay) throws {
    let (terminal, child) = try startAtTerminal(way, "echo ready; exec cat")
    terminal.write("\u{3}")
    let shown = terminal.readAll(of: child)
    #expect(shown.contains("ended 130"), "\(shown)")
    #expect(try at.leftovers().isEmpty)
  }

  /// Starts a script in the foreground of a terminal; the shell there prints its exit status, and
  /// does not end with it.
  private func startAtTerminal(
    _ way: TokenWay, _ script: String
  ) throws -> (PseudoTerminal, ChildProcess) {
    let terminal = try PseudoTerminal()
    let child = try at.start(
      way.options, script,
      ChildProcess.Streams(terminal: terminal.path, shell: #"trap : INT; "$@"; echo "ended $?""#))
    #expect(terminal.read(until: "ready").contains("ready"))
    return (terminal, child)
  }

  @Test func `a MobileFirst account's token is handed out too`() throws {
    let server = try FakeMobileFirstServer()
    try server.start()
    defer { server.stop() }
    let login = try at.scene.start(
      [
        "login", "mobilefirst", "--server", server.url + "/mfp", "--app", "com.example.app",
        "--app-version", "1.0", "--check", "StepUpUserLogin", "--user", "john", "--label", "john",
        "--password-stdin",
      ], ChildProcess.Streams(input: "john123\n")
    ).end()
    try #require(login.exit == 0, "\(login.errors)")
    let token = try at.scene.run("token", "john").output
    for way in TokenWay.allCases {
      let ending = try at.start(["john"] + way.options, way.show).end()
      #expect(ending.output + "\n" == token, "\(ending.errors)")
    }
  }
}
