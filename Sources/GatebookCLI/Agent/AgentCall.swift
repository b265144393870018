internal import Gatebook
internal import GatebookSystem

/// A call that one process hands over to the agent: all that its answer depends on.
struct AgentCall: Equatable, Sendable {
  /// What follows the program's name.
  var line: [String]
  /// What the program that asks has written to standard input.
  var input: [UInt8] = []
  /// The variables that the call takes.
  var environment: [String: String] = [:]
  /// The variables that must be the same on both sides: the agent cannot change its own.
  var shared: [String: String] = [:]
  /// The book's file: device and number.
  var book: String
  /// Where the key is, as `--key` says it.
  var key = KeyChoice.automatic.text
  /// How wide the terminal of the messages is; `nil` for none.
  var columns: Int?
  /// Whether the process does the work itself, and asks only whether a person has locked the book.
  var isOwn = false

  /// The most bytes of a call: what a program may write, and what its environment may hold.
  static let limit = 1 << 20

  /// The variables that a call takes along.
  static let taken = ["GATEBOOK_ACCOUNT"]
  /// Proxies, certificates and the time zone.
  static let mustBeShared = [
    "ALL_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_DIR", "SSL_CERT_FILE", "TZ", "all_proxy",
    "http_proxy", "https_proxy", "no_proxy",
  ]

  /// The file of a book as calls name it; `nil` where there is none.
  static func file(of path: String) -> String? {
    FileStatus(of: BookPath.following(path)).map { "\($0.device):\($0.inode)" }
  }

  /// As JSON.
  var encoded: [UInt8] {
    JSON.present([
      "line": .list(line.map { .text($0) }),
      "input": input.isEmpty ? nil : .text(Base64.encode(input)),
      "environment": Self.object(environment), "shared": Self.object(shared),
      "book": .text(book), "key": .text(key), "columns": columns.map { .integer(Int64($0)) },
      "own": isOwn ? .bool(true) : nil,
    ]).encoded
  }

  private static func object(_ texts: [String: String]) -> JSON {
    .members(texts.sorted { $0.key < $1.key }.map { ($0.key, .text($0.value)) })
  }
}

extension AgentCall {
  /// The call of this process; `nil` where there is no book yet.
  @MainActor init?(_ call: Call, input: [UInt8]) {
    guard let book = Self.file(of: call.globals.book) else { return nil }
    let environment = call.surroundings.environment
    self.init(
      line: call.line, input: input,
      environment: environment.filter { Self.taken.contains($0.key) },
      shared: Self.shared(environment), book: book, key: call.globals.key.text,
      columns: call.surroundings.isErrorTerminal ? call.surroundings.errorColumns : nil)
  }

  /// Reads a call; `nil` for bytes that are none.
  init?(_ bytes: [UInt8]) {
    guard let object = JSONDocument.read(bytes, maximumSize: Self.limit)?.object,
      let line = object["line"]?.list?.compactMap(\.text),
      line.count == object["line"]?.list?.count, let book = object["book"]?.text,
      let key = object["key"]?.text
    else { return nil }
    let input = (object["input"]?.text).map { Base64.decode($0) } ?? []
    guard let input else { return nil }
    self.init(
      line: line, input: input,
      environment: Self.texts(object["environment"]).filter { Self.taken.contains($0.key) },
      shared: Self.texts(object["shared"]), book: book, key: key,
      columns: (object["columns"]?.integer).flatMap { (1...10_000).contains($0) ? Int($0) : nil },
      isOwn: object["own"]?.bool == true)
  }

  /// The variables that must be the same on both sides, as far as they are set.
  static func shared(_ environment: [String: String]) -> [String: String] {
    environment.filter { mustBeShared.contains($0.key) && !$0.value.isEmpty }
  }

  private static func texts(_ value: FactValue?) -> [String: String] {
    guard let facts = value?.object else { return [:] }
    var texts: [String: String] = [:]
    for name in facts.names { texts[name] = facts[name]?.text }
    return texts
  }
}
