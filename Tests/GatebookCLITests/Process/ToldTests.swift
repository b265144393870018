internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// The messages for what was mistyped, is out of range or cannot be used.
struct ToldTests {
  @Test(arguments: [
    ("login.faild", "Did you mean `login.failed`? There are `login.started`"),
    ("logni", "Did you mean `login`? There are `book`, `key`, `account`, `login`"),
    ("wholly.unknown", "There are `book`, `key`, `account`"), ("", "There are `book`"),
  ])
  func `a kind that does not exist is 2 and says what kinds there are`(
    _ kind: String, _ hint: String
  ) throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let ending = try scene.run("log", "--kind", kind)
    #expect(ending.exit == 2)
    #expect(ending.errors.contains(hint), "\(ending.errors)")
    for known in ["login", "login.", "login.*", "login.failed", "trust"] {
      #expect(try scene.run("log", "--kind", known).exit == 0, "\(known)")
    }
  }

  @Test func `switching to a logged-out account says that it cannot be used`() throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    try scene.logIn(.ben, label: "ben")
    try scene.run("logout", "--account", "ada")
    let ending = try scene.run("switch", "ada")
    #expect(ending.exit == 0)
    #expect(
      ending.errors
        == "It cannot be used: ended (logged out). `\(try scene.printedLogin())` logs in again.\n")
    #expect(try scene.run("switch", "ben").errors.isEmpty)
  }

  @Test func `servers receive this program's version`() throws {
    let scene = try Scene()
    try scene.logIn(.ada)
    let agents = scene.portal.requests.compactMap { $0.request.fields["User-Agent"] }
    #expect(!agents.isEmpty)
    #expect(agents.allSatisfy { $0 == "gatebook/\(CommandTable.version)" })
  }

  @Test func `a table fits the terminal`() throws {
    let scene = try Scene()
    try scene.populate()
    let terminal = try PseudoTerminal(columns: 60)
    let child = try scene.start(
      ["log", "--no-color"], ChildProcess.Streams(terminal: terminal.path))
    let shown = terminal.read(until: "login.failed")
    terminal.drain()
    #expect(child.end().exit == 0)
    let lines = shown.split(separator: "\r\n")
    #expect(lines.count > 10)
    #expect(lines.allSatisfy { DisplayWidth.of(String($0)) <= 60 })
    #expect(lines.contains { $0.contains("…") })
  }
}
