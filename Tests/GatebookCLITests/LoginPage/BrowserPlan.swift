internal import Gatebook
internal import GatebookSystem
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// What a browser does with login pages: a plan of `tools/browser/login`, which describes it.
final class BrowserPlan {
  /// One step: what the person does, and what the page shows then.
  typealias Step = JSON

  private let folder: String
  private var lines: [JSON] = []
  private var count = 0

  init() throws {
    folder = try TemporaryFolder(named: "gatebook-pages").path
  }

  deinit { TemporaryFolder(at: folder).remove() }

  /// A new home, in which the commands of one or several runs have their book.
  func home() -> String {
    count += 1
    return "\(folder)/\(count)"
  }

  /// The variables of a command in a home.
  static func environment(_ home: String) -> [String: String] {
    [
      "HOME": home, "XDG_DATA_HOME": "\(home)/data", "XDG_CONFIG_HOME": "\(home)/config",
      "TZ": "UTC", "http_proxy": "", "https_proxy": "", "ALL_PROXY": "", "BROWSER": "",
    ]
  }

  /// Adds a run.
  ///
  /// - Parameters:
  ///   - name: What failures call it.
  ///   - words: The words after `gatebook`; `--page` and `--no-browser` are added.
  ///   - home: Where its book is; a new one unless given.
  ///   - exit: How the command ends.
  ///   - steps: The steps.
  ///   - settings: Further members of the run, such as `width`.
  /// - Throws: Where there is no program.
  func run(
    _ name: String, _ words: [String], home: String? = nil, exit: Int64 = 0, _ steps: [Step],
    settings: KeyValuePairs<String, JSON?> = [:]
  ) throws {
    let home = home ?? self.home()
    Files.makeFolders("\(home)/data")
    let program = try ChildProcess.program()
    let variables = Self.environment(home).sorted { $0.key < $1.key }
    lines.append(
      .members(
        [
          ("name", .text(name)),
          ("command", .texts([program] + words + ["--page", "--no-browser"])),
          ("environment", .members(variables.map { ($0.key, .text($0.value)) })),
          ("exit", .integer(exit)), ("steps", .list(steps)),
        ] + settings.map { ($0.key, $0.value) }))
  }

  /// Lets a browser do all of it.
  ///
  /// - Returns: What went wrong, a line each.
  func problems() async throws -> [String] {
    let plan = "\(folder)/plan"
    try TextFile.write(lines.flatMap { $0.encoded + [UInt8(ascii: "\n")] }, to: plan)
    let (status, text) = await withCheckedContinuation { ending in
      // It takes a while, and the tests beside it need the shared threads.
      let run = { @Sendable in
        ending.resume(returning: Self.output(of: "\(Self.tool) '\(plan)' 2>&1"))
      }
      do { try PosixThread.detach(run) } catch { run() }
    }
    let results = text.split(separator: "\n")
    let failed = results.filter { !$0.contains("\"passed\": true") }.map(String.init)
    let ends = results.count { $0.contains("\"end\": true") }
    if ends != lines.count { return failed + ["only \(ends) of \(lines.count) runs ended"] }
    return status == 0 ? [] : failed + ["the tool exits with \(status)"]
  }

  private static func output(of line: String) -> (status: Int32, text: String) {
    guard let pipe = popen(line, "r") else { return (-1, "") }
    var bytes: [UInt8] = []
    while case let byte = fgetc(pipe), byte != EOF { bytes.append(UInt8(byte)) }
    return (pclose(pipe), String(decoding: bytes, as: UTF8.self))
  }

  private static var tool: String {
    let file = String(describing: #filePath)
    return "/" + file.split(separator: "/").dropLast(4).joined(separator: "/")
      + "/tools/browser/login"
  }
}

extension JSON {
  /// A list of texts.
  static func texts(_ texts: [String]) -> JSON { .list(texts.map { .text($0) }) }

  /// A step that shows something, without an action.
  static func sees(_ expected: KeyValuePairs<String, JSON?>) -> JSON {
    .present(["expect": .present(expected)])
  }

  /// A step that types texts, presses a button or `Enter`, and shows something then.
  static func types(
    _ answers: [(String, String)], press: String = "Enter", console: [String]? = nil,
    _ expected: KeyValuePairs<String, JSON?>
  ) -> JSON {
    .present([
      "type": .members(answers.map { ($0.0, .text($0.1)) }), "press": .text(press),
      "console": console.map { .texts($0) }, "expect": .present(expected),
    ])
  }

  /// The last screen of a login.
  static var loggedIn: JSON { .text("You are logged in") }

  /// The screen of a form.
  static var form: JSON { .text("Log in") }

  /// Texts by the names of fields.
  static func by(_ texts: KeyValuePairs<String, String>) -> JSON {
    .members(texts.map { ($0.key, .text($0.value)) })
  }
}

extension JSON: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral
{
  /// A text.
  public init(stringLiteral text: String) { self = .text(text) }

  /// A truth value.
  public init(booleanLiteral isTrue: Bool) { self = .bool(isTrue) }

  /// A number.
  public init(integerLiteral number: Int64) { self = .integer(number) }
}
