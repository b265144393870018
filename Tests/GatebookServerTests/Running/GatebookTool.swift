internal import Foundation
internal import Testing

/// The program `gatebook` as people run it, with a home of its own.
///
/// Every call is a process: what the next one knows, it knows from the book.
final class GatebookTool {
  /// Holds the book, the key and everything else that a run leaves.
  let home: String

  init() throws {
    home = try TestServers.folder("home")
  }

  deinit {
    try? FileManager.default.removeItem(atPath: home)
  }

  /// Where the book lies when nothing else is said.
  var book: String { home + "/data/gatebook/sessions.gatebook" }

  /// Runs one command; passwords go through standard input, one a line.
  func run(_ arguments: [String], answers: [String] = []) throws -> ChildProcess {
    try ChildProcess.run(
      Self.program("gatebook"), arguments, environment: environment,
      input: answers.map { $0 + "\n" }.joined())
  }

  /// Starts a command that waits for somebody before it ends.
  func start(_ arguments: [String], answers: [String] = []) throws -> RunningTool {
    let tool = try RunningTool(Self.program("gatebook"), arguments, environment: environment)
    for answer in answers { tool.answer(answer) }
    return tool
  }

  /// Nothing of the developer's own environment: neither books nor proxies nor a language.
  var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": home, "XDG_CONFIG_HOME": home + "/config",
      "XDG_DATA_HOME": home + "/data", "LANG": "C.UTF-8", "TZ": "UTC",
    ]
  }

  /// Runs a command that must succeed, and reads its JSON Lines.
  func lines(_ arguments: [String], answers: [String] = []) throws -> [JSONObject] {
    let result = try run(arguments + ["--json"], answers: answers)
    try #require(result.status == 0, "\(arguments): \(result.errors)")
    return try result.output.split(separator: "\n").map { try JSONObject(String($0)) }
  }

  /// Runs a command that must succeed with one JSON object.
  func object(_ arguments: [String], answers: [String] = []) throws -> JSONObject {
    let lines = try lines(arguments, answers: answers)
    try #require(lines.count == 1, "\(arguments)")
    return lines[0]
  }

  /// Runs a command that must fail, and reads the error.
  func failure(_ arguments: [String], answers: [String] = []) throws -> (Int32, JSONObject) {
    let result = try run(arguments + ["--json"], answers: answers)
    try #require(result.status != 0, "\(arguments): \(result.output)")
    let last = try #require(result.errors.split(separator: "\n").last, "\(arguments): silent")
    return (result.status, try #require(try JSONObject(String(last))["error"]?.object))
  }

  /// The kinds of all events, and the facts of those of one kind.
  func kinds() throws -> [String] { try lines(["log"]).compactMap { $0["kind"]?.text } }

  func facts(of kind: String) throws -> [JSONObject] {
    try lines(["log", "--kind", kind]).compactMap { $0["data"]?.object }
  }

  /// The files, of all that were left, that hold one of these texts as it is.
  func files(holding texts: [String]) throws -> [String] {
    let files = try #require(FileManager.default.enumerator(atPath: home))
    var found: [String] = []
    var searched = 0
    for case let name as String in files {
      guard let bytes = FileManager.default.contents(atPath: "\(home)/\(name)") else { continue }
      searched += bytes.count
      if texts.contains(where: { bytes.range(of: Data($0.utf8)) != nil }) { found.append(name) }
    }
    try #require(searched > 4096, "the book was not searched")
    return found
  }

  /// Puts a book of many events where the book lies.
  func makeBook(events: Int) throws {
    try FileManager.default.createDirectory(
      atPath: home + "/data/gatebook", withIntermediateDirectories: true)
    let result = try ChildProcess.run(
      Self.program("GatebookBench"), ["make-book", book, "\(events)"], environment: [:])
    try #require(result.status == 0, "\(result.errors)")
  }

  /// Beside the tests, where the build puts all programs.
  static func program(_ name: String) -> String {
    let tests = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    return tests.deletingLastPathComponent().appending(path: name).path
  }
}
