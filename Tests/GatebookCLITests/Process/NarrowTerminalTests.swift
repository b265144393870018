internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What the audit commands show on terminals of several widths.
struct NarrowTerminalTests {
  /// What a command shows on a terminal, line by line, without colours.
  private static func shown(
    _ line: [String], _ columns: UInt16, _ scene: Scene
  ) throws -> [String] {
    let terminal = try PseudoTerminal(columns: columns)
    let child = try scene.start(
      line + ["--no-color"], ChildProcess.Streams(terminal: terminal.path))
    let text = terminal.readAll(of: child)
    #expect(child.end().exit == 0)
    return text.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }

  @Test(arguments: [UInt16(60), 80, 100, 200])
  func `times, reasons and numbers are whole, and every line fits`(_ columns: UInt16) throws {
    let scene = try Scene()
    try scene.populate()
    try scene.run("logout", "--account", "cleo")
    let commands = [
      ["log"], ["sessions"], ["accounts"], ["findings"], ["stats", "--by", "day"],
      ["stats", "--by", "account"], ["stats", "--by", "kind"], ["why", "--account", "cleo"],
    ]
    for line in commands {
      let lines = try Self.shown(line, columns, scene)
      let text = lines.joined(separator: "\n")
      for shown in lines
      where !shown.contains("Next:") && !shown.hasPrefix("Signed") {
        #expect(DisplayWidth.of(shown) <= Int(columns), "\(line): \(shown)")
      }
      // A time that is cut ends in an ellipsis.
      #expect(!text.contains(/\d{4}-[\d: -]*…/), "\(line): \(text)")
    }
    let log = try Self.shown(["log"], columns, scene).joined(separator: " ")
    #expect(log.contains("code=credentials.refused"), "\(log)")
    let times = log.matches(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).count
    #expect(Int64(times) >= (try BookReader.open(at: scene.book).head().size))
    let sessions = try Self.shown(["sessions"], columns, scene).joined(separator: " ")
      .split(separator: " ").joined(separator: " ")
    #expect(sessions.contains("logged out)"), "\(sessions)")
  }

  @Test(arguments: [UInt16(50), 60, 80, 100])
  func `what tells two accounts apart is whole`(_ columns: UInt16) throws {
    let scene = try Scene()
    try scene.populate()
    let lines = try Self.shown(["accounts"], columns, scene)
    for name in ["ada", "ben", "cleo"] {
      #expect(lines.contains { $0.contains("\(name)@portal.example.test") }, "\(lines)")
      #expect(lines.contains { $0.split(separator: " ").contains(Substring(name)) }, "\(lines)")
    }
    #expect(lines.count { $0.contains(scene.portal.url) } == 3, "\(lines)")
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= Int(columns) }, "\(lines)")
    #expect(lines.joined().contains("active"))
  }
}
