internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Long output on a terminal goes through a pager; nothing else does.
struct PagerTests {
  private let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.populate()
  }

  /// Runs on a terminal of 24 lines, with a pager that marks what it gets.
  private func run(
    _ line: String..., pager: String = "sed 's/^/PAGED /'", terminal kind: String = "xterm"
  ) throws -> (text: String, exit: Int32) {
    let terminal = try PseudoTerminal(columns: 80)
    let child = try scene.start(
      line, ChildProcess.Streams(terminal: terminal.path),
      environment: ["GATEBOOK_PAGER": pager, "TERM": kind, "PATH": "/usr/bin:/bin"])
    let text = terminal.readAll(of: child)
    return (text, child.end().exit)
  }

  @Test func `what is longer than the terminal is paged, from its first line`() throws {
    let (text, exit) = try run("help", "login", "oidc")
    #expect(exit == 0)
    #expect(text.hasPrefix("PAGED gatebook login oidc"), "\(text)")
    #expect(text.split(separator: "\r\n").allSatisfy { $0.hasPrefix("PAGED ") })
  }

  @Test func `what fits is not`() throws {
    let (text, exit) = try run("accounts")
    #expect(exit == 0)
    #expect(text.contains("ada"))
    #expect(!text.contains("PAGED"))
  }

  @Test(arguments: ["cat", ""])
  func `an empty variable and cat turn it off`(_ pager: String) throws {
    let (text, exit) = try run("help", "login", "oidc", pager: pager)
    #expect(exit == 0)
    #expect(text.hasPrefix("gatebook login oidc"))
  }

  @Test func `a terminal that can do nothing gets no pager`() throws {
    #expect(
      try run("help", "login", "oidc", terminal: "dumb").text.hasPrefix("gatebook login oidc"))
  }

  @Test func `a pager that is not there is named`() throws {
    let (text, exit) = try run("help", "login", "oidc", pager: "no-such-pager")
    #expect(exit == 1)
    #expect(text.contains("The pager `no-such-pager` could not be started"), "\(text)")
  }

  @Test func `a person who has read enough ends the command, and that is no failure`() throws {
    let (text, exit) = try run("help", "login", "oidc", pager: "head -n 1 | sed 's/^/PAGED /'")
    #expect(exit == 0)
    #expect(text.split(separator: "\r\n").count == 1)
  }

  @Test func `a pager that was killed is named`() throws {
    let (text, exit) = try run("help", "login", "oidc", pager: "kill -9 $$")
    #expect(exit == 1)
    #expect(text.contains("was killed"), "\(text)")
  }

  @Test func `an error alone is shown without a pager`() throws {
    let (text, exit) = try run("log", "--account", "nobody")
    #expect(exit == 2)
    #expect(text.contains("Unknown account"), "\(text)")
  }
}
