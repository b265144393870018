internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// `gatebook stats` and `gatebook findings`.
struct FiguresTests {
  private static let guess = [
    "login", "liferay", "--password-stdin", "--user", FakePortalUser.ada.emailAddress,
    "--server",
  ]

  @Test func `figures and findings as text and as JSON`() throws {
    let scene = try Scene()
    try scene.populate()
    try scene.run("logout", "--account", "cleo")
    for _ in 1...5 {
      let guess = try scene.start(
        Self.guess + [scene.portal.url], ChildProcess.Streams(input: "wrong\n")
      ).end()
      #expect(guess.exit == 3, "\(guess.errors)")
    }
    let commands: [(String, [String])] = [
      ("stats", ["stats"]), ("stats-day", ["stats", "--by", "day"]),
      ("stats-kind", ["stats", "--by", "kind"]),
      ("stats-account", ["stats", "--by", "account"]),
      ("stats-account-sealed", ["stats", "--by", "account", "--key", "none"]),
      ("stats-of-account", ["stats", "--account", "ben"]), ("findings", ["findings"]),
      ("findings-sealed", ["findings", "--key", "none"]),
      ("findings-of-account", ["findings", "--account", "ben"]),
    ]
    for (name, line) in commands {
      for (suffix, more) in [("", []), ("-json", ["--json"])] {
        let ending = try scene.start(line + more).end()
        #expect(ending.exit == 0, "\(line): \(ending.errors)")
        // Whether the guesses took a second or more is the machine's affair.
        let span = /(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) to \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/
        let text = (ending.output + ending.errors).replacing(span) { "at \($0.output.1)" }
        try Snapshot.check(text, name + suffix, folder: scene.folder)
      }
    }
    func found(_ more: String...) throws -> (exit: Int32, severities: Set<Substring>) {
      let ending = try scene.start(["findings", "--json"] + more).end()
      let parts = ending.output.matches(of: /"severity":"([a-z]+)"/).map(\.1)
      return (ending.exit, Set(parts))
    }
    #expect(try found("--fail") == (1, ["alarm", "note"]))
    #expect(try found("--fail", "--severity", "warning") == (1, ["alarm"]))
    #expect(try found("--fail", "--severity", "alarm", "--until", "2025-01-01") == (0, []))
    let text = try scene.run("findings", "--severity", "alarm", "--until", "2025-01-01", "--fail")
    #expect(text.exit == 0 && text.errors.contains("anything of this severity."))
  }

  @Test func `days are those of UTC, first and last one included`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    func events(_ more: String...) throws -> String {
      let ending = try scene.start(["stats", "--json"] + more, environment: ["TZ": "Asia/Tokyo"])
        .end()
      #expect(ending.exit == 0, "\(ending.errors)")
      return ending.output
    }
    let all = try events()
    #expect(try events("--since", "today", "--until", "today") == all)
    #expect(try events("--since", "tomorrow").contains(#""events":0"#))
    #expect(try events("--until", "yesterday").contains(#""events":0"#))
    #expect(try scene.run("stats", "--since", "today", "--until", "yesterday").exit == 2)
    let byAccount = try scene.run("stats", "--by", "account")
    #expect(
      try scene.run("stats", "--by", "account", "--since", "today").output == byAccount.output)
    let none = try scene.run("stats", "--by", "account", "--since", "tomorrow")
    #expect(none.exit == 0 && none.output.isEmpty)
    #expect(none.errors == "Nothing happened on those days.\n")
    for grouping in ["day", "kind"] {
      let empty = try scene.run("stats", "--by", grouping, "--until", "yesterday")
      #expect(empty.errors == "Nothing happened on those days.\n")
      let json = try scene.run("stats", "--by", grouping, "--until", "yesterday", "--json")
      #expect(json.output.isEmpty && json.errors.isEmpty)
    }
  }

  @Test(arguments: ["stats", "findings"])
  func `nothing is written, and nothing personal is printed without a key`(_ command: String) throws
  {
    let scene = try Scene()
    try scene.populate()
    let before = try scene.run("log", "--json").output
    let told = try scene.run(command, "--json", "--key", "none").output
    for text in ["@", "Lovelace", #""ada""#, #""ben""#] { #expect(!told.contains(text), "\(told)") }
    #expect(try scene.run("log", "--json").output == before)
  }

  @Test func `on a terminal there are bars and lines of time`() throws {
    let scene = try Scene()
    try scene.populate()
    let terminal = try PseudoTerminal(columns: 100)
    for (line, sign) in [(["stats", "--by", "kind"], "█"), (["sessions"], "█")] {
      let child = try scene.start(
        line + ["--no-color"], ChildProcess.Streams(terminal: terminal.path))
      #expect(terminal.read(until: sign).contains(sign))
      #expect(child.end().exit == 0)
      terminal.drain()
    }
    #expect(try !scene.run("stats", "--by", "kind").output.contains("█"))
    #expect(try !scene.run("sessions").output.contains("█"))
  }
}
