internal import Testing

@testable internal import GatebookCLI

/// The article "Command-line contract", held against what the commands were seen to print.
struct ContractTests {
  private static let root = String(describing: #filePath).split(separator: "/").dropLast(4)
    .joined(separator: "/")
  private static let snapshots = "/\(root)/Tests/GatebookCLITests/Snapshots"

  /// The keys of an object's outermost members; `{"error":…}` counts for what it holds.
  private static func keys(_ line: Substring) -> [String] {
    var keys: [String] = []
    var depth = 0
    var text: String?
    var last = ""
    var isEscaped = false
    for character in line {
      if let open = text {
        if !isEscaped, character == "\"" {
          last = open
          text = nil
        } else {
          text = open + String(character)
        }
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      switch character {
      case "\"": text = ""
      case "{", "[": depth += 1
      case "}", "]": depth -= 1
      case ":" where depth == 1: keys.append(last)
      default: break
      }
    }
    guard keys == ["error"] else { return keys }
    return Self.keys(line.dropFirst(#"{"error":"#.count).dropLast())
  }

  /// The keys of each table, in their order, by the heading above it.
  private static func tables() throws -> [String: [String]] {
    let path = "/\(root)/Sources/Gatebook/Gatebook.docc/CommandLine.md"
    var tables: [String: [String]] = [:]
    var heading = ""
    for line in try TextFile.read(path, what: "article").split(separator: "\n") {
      if line.hasPrefix("#") { heading = String(line.drop { $0 == "#" || $0 == " " }) }
      guard line.hasPrefix("| `") else { continue }
      tables[heading, default: []].append(String(line.dropFirst(3).prefix { $0 != "`" }))
    }
    return tables
  }

  @Test(arguments: [
    ("Account", ["login", "accounts", "whoami", "show", "show-as-of", "restore", "logout-all"]),
    ("Session", ["sessions", "sessions-as-of"]), ("Event", ["log", "show-event", "event-sealed"]),
    ("Trust", ["trust-list"]), ("Verify", ["verify"]), ("Rebuild", ["rebuild", "rebuild-check"]),
    ("Error", ["error-option", "error-origin"]),
  ])
  func `every key that is printed is documented, in its order`(
    _ heading: String, _ names: [String]
  ) throws {
    let documented = try #require(try Self.tables()[heading])
    for name in names {
      let text = try TextFile.read("\(Self.snapshots)/\(name)-json.txt", what: "snapshot")
      let lines = text.split(separator: "\n").filter { $0.hasPrefix("{") }
      #expect(!lines.isEmpty)
      for line in lines {
        let keys = Self.keys(line)
        #expect(keys.count > 2)
        #expect(keys == documented.filter(keys.contains), "\(name): \(line)")
      }
    }
  }

  @Test func `every exit is documented`() throws {
    let path = "/\(Self.root)/Sources/Gatebook/Gatebook.docc/CommandLine.md"
    let article = try TextFile.read(path, what: "article")
    for exit in ExitCode.allCases {
      #expect(article.contains("\n| \(exit.rawValue) | "), "\(exit)")
    }
  }
}
