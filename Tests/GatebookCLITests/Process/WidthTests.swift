internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// What a terminal of 60, 80 and 200 columns shows, compared with kept files.
struct WidthTests {
  private static let lines: [(name: String, line: [String])] = [
    ("help", ["help"]), ("help-request", ["help", "request"]), ("accounts", ["accounts"]),
    ("whoami", ["whoami"]), ("why", ["why"]), ("status", ["status"]), ("log", ["log"]),
    ("findings", ["findings"]), ("stats", ["stats"]),
    ("restore", ["restore", "--all"]), ("request", ["request", "/documents/1"]),
    ("error-account", ["whoami", "nobody"]), ("error-option", ["log", "--limt", "3"]),
    ("error-origin", ["request", "http://127.0.0.1:9/"]),
  ]

  @Test(arguments: [60, 80, 200])
  func `each output fits its terminal`(_ columns: Int) throws {
    let scene = try Scene()
    try scene.populate()
    var all = ""
    for (name, line) in Self.lines {
      let terminal = try PseudoTerminal(columns: UInt16(columns))
      let child = try scene.start(
        line, ChildProcess.Streams(terminal: terminal.path), environment: ["NO_COLOR": "1"])
      let text = terminal.readAll(of: child).replacing("\r\n", with: "\n")
      _ = child.end()
      for shown in text.split(separator: "\n") where DisplayWidth.of(String(shown)) > columns {
        // A command stays in one piece, so that it can be copied, and so does a single word. What a
        // server answers is shown as it is.
        let isOneWord = shown.split(separator: "  ").count < 3
        #expect(
          name == "request" || isOneWord || shown.contains("gatebook "), "\(name): \(shown)")
      }
      all += "$ gatebook \(line.joined(separator: " "))\n\(text)\n"
    }
    try Snapshot.check(all, "width-\(columns)", folder: scene.folder)
  }
}
