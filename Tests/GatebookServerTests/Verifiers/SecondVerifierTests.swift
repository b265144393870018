internal import Foundation
internal import Testing

/// Two programs in two languages, made from one document, must say the same about every book.
struct SecondVerifierTests {
  private let gatebook: GatebookTool

  init() throws {
    gatebook = try GatebookTool()
    try gatebook.makeBook(events: 20_000)
  }

  @Test func `both verifiers agree on a sound book`() throws {
    let first = try verdict(of: gatebook.run(["verify", "--key", "none", "--json"]), status: 0)
    let second = try verdict(of: pythonVerdict(), status: 0)
    #expect(second["ok"]?.bool == true)
    #expect(second["size"]?.integer == 20_000)
    #expect(second["root"]?.text == first["root"]?.text)
    #expect(first["size"]?.integer == 20_000)
  }

  @Test(arguments: Damage.allCases)
  func `both verifiers find`(_ damage: Damage) throws {
    try damage.strike(gatebook.book)
    for result in [try gatebook.run(["verify", "--key", "none", "--json"]), try pythonVerdict()] {
      let verdict = try verdict(of: result, status: 5)
      #expect(verdict["ok"]?.bool == false)
      #expect(verdict["firstBad"]?.integer == damage.firstBad)
    }
  }

  @Test(arguments: [
    "UPDATE block SET kinds = 0 WHERE number = 7", "DELETE FROM block WHERE number = 7",
    "UPDATE block SET latest = 0 WHERE number = 7", "INSERT INTO block VALUES (16, 3, 0, 0, 0)",
  ])
  func `both verifiers find summaries that hide events, and blame no event`(
    _ lie: String
  ) throws {
    _ = try ChildProcess.run(
      "sqlite3", [gatebook.book, lie], environment: ["PATH": "/usr/bin:/bin"])
    for result in [try gatebook.run(["verify", "--key", "none", "--json"]), try pythonVerdict()] {
      let verdict = try verdict(of: result, status: 5)
      #expect(verdict["firstBad"]?.integer == nil)
      #expect(verdict["root"]?.text?.count == 64)
    }
  }

  @Test func `both verifiers agree on a book with an erased account, and on its backup`() throws {
    let key = ["--key", "file:\(gatebook.book).key"]
    let account = try #require(
      gatebook.run(["accounts", "--json"] + key).output.firstMatch(of: /"id":"([0-9a-f]{32})"/))
    let copy = gatebook.home + "/copy"
    let copied = try gatebook.run(["backup", copy] + key)
    #expect(copied.status == 0, "\(copied.errors)")
    let erased = try gatebook.run(["erase", String(account.output.1), "--yes"] + key)
    #expect(erased.status == 0, "\(erased.errors)")
    for book in [gatebook.book, copy] {
      let first = try gatebook.run(["verify", "--key", "none", "--json", "--book", book])
      let second = try ChildProcess.run(
        TestServers.sources + "/tools/verify-book", [book, "--json"],
        environment: ProcessInfo.processInfo.environment)
      let root = try verdict(of: first, status: 0)["root"]?.text
      #expect(try verdict(of: second, status: 0)["root"]?.text == root)
    }
  }

  @Test func `both verifiers agree with a checkpoint kept elsewhere`() throws {
    let checkpoint = gatebook.home + "/kept"
    let key = ["--key", "file:\(gatebook.book).key"]
    #expect(try gatebook.run(["checkpoint", "-o", checkpoint] + key).status == 0)
    let against = ["--against", checkpoint]
    for result in [
      try gatebook.run(["verify", "--key", "none", "--json"] + against), try pythonVerdict(against),
    ] {
      #expect(try verdict(of: result, status: 0)["level"]?.text == "checkpoint")
    }
    try FileManager.default.removeItem(atPath: gatebook.book)
    try gatebook.makeBook(events: 100)
    for result in [
      try gatebook.run(["verify", "--key", "none", "--json"] + against), try pythonVerdict(against),
    ] {
      #expect(result.status != 0)
    }
  }

  @Test(arguments: [1, 256, 257, 19_999, 20_000])
  func `both verifiers take a proof, and refuse a changed one`(_ position: Int) throws {
    let proof = gatebook.home + "/event.tlog-proof"
    let made = try gatebook.run(
      ["prove", "\(position)", "-o", proof, "--key", "file:\(gatebook.book).key"])
    #expect(made.status == 0, "\(made.errors)")
    let script = TestServers.sources + "/tools/verify-book"
    for (isGood, status) in [(true, Int32(0)), (false, 5)] {
      if !isGood {
        // The last character of the first sibling's base64 but one: another hash.
        var lines = try String(contentsOfFile: proof, encoding: .utf8).components(
          separatedBy: "\n")
        lines[3] = (lines[3].hasPrefix("A") ? "B" : "A") + lines[3].dropFirst()
        try lines.joined(separator: "\n").write(toFile: proof, atomically: true, encoding: .utf8)
      }
      let first = try gatebook.run(["verify-proof", proof, "--json"])
      #expect(first.status == status, "\(first.errors)")
      let second = try ChildProcess.run(
        script, ["--proof", proof, "--json"], environment: ProcessInfo.processInfo.environment)
      #expect(try verdict(of: second, status: status)["ok"]?.bool == isGood)
      if isGood {
        let (one, other) = (try JSONObject(first.output), try JSONObject(second.output))
        for key in ["root", "key", "level"] {
          #expect(one[key]?.text == other[key]?.text, "\(key)")
        }
        #expect(other["position"]?.integer == position)
        #expect(other["kind"]?.text == one["event"]?.object?["kind"]?.text)
      }
    }
  }

  @Test(arguments: [
    "PRAGMA user_version = -1", "UPDATE book SET key_description = 'no JSON'",
    "INSERT INTO lost VALUES (30, 40)",
    "ALTER TABLE event RENAME TO hidden; CREATE VIEW event AS SELECT * FROM hidden",
  ])
  func `both verifiers refuse what no book is`(_ change: String) throws {
    _ = try ChildProcess.run(
      "sqlite3", [gatebook.book, change], environment: ["PATH": "/usr/bin:/bin"])
    for result in [try gatebook.run(["verify", "--key", "none", "--json"]), try pythonVerdict()] {
      #expect(result.status == 5, "\(result.output)\(result.errors)")
    }
  }

  @Test(arguments: ["one byte more", "one byte less", "a kind that ends nowhere"])
  func `both verifiers refuse a proof whose event cannot be read`(_ change: String) throws {
    let proof = gatebook.home + "/event.tlog-proof"
    let made = try gatebook.run(["prove", "1", "-o", proof, "--key", "file:\(gatebook.book).key"])
    #expect(made.status == 0, "\(made.errors)")
    var lines = try String(contentsOfFile: proof, encoding: .utf8).components(separatedBy: "\n")
    var extra = try #require(Data(base64Encoded: String(lines[1].dropFirst(6))))
    switch change {
    case "one byte more": extra.append(0)
    case "one byte less": extra.removeLast()
    default:
      let kind = try #require(extra.range(of: Data("book.created".utf8)))
      extra.replaceSubrange(kind.lowerBound - 2..<kind.lowerBound, with: [0xFF, 0xFF])
    }
    lines[1] = "extra \(extra.base64EncodedString())"
    try lines.joined(separator: "\n").write(toFile: proof, atomically: true, encoding: .utf8)
    let first = try gatebook.run(["verify-proof", proof])
    #expect(first.status == 5)
    #expect(first.errors.contains("Its event cannot be read."), "\(first.errors)")
    let second = try ChildProcess.run(
      TestServers.sources + "/tools/verify-book", ["--proof", proof],
      environment: ProcessInfo.processInfo.environment)
    #expect(second.status == 5)
    #expect(second.output == "damaged: its event cannot be read\n", "\(second.output)")
  }

  /// A change of a signed note, and how both verifiers end with it, in a proof too.
  struct NoteChange: Sendable {
    let name: String
    let status: Int32
    let make: @Sendable (String) -> [UInt8]

    static let all: [NoteChange] = {
      let other = "— witness.example AAAAAAAA\n"
      var changes = [
        NoteChange(name: "none", status: 0) { Array($0.utf8) },
        NoteChange(name: "16 signatures", status: 0) { note in
          Array((note + String(repeating: other, count: 15)).utf8)
        },
        NoteChange(name: "17 signatures", status: 2) { note in
          Array((note + String(repeating: other, count: 16)).utf8)
        },
        NoteChange(name: "an extension that nobody signed", status: 5) { note in
          Array(note.replacing("\n\n", with: "\nextension\n\n").utf8)
        },
        NoteChange(name: "no UTF-8", status: 2) {
          Array($0.utf8) + [0xE2, 0x80, 0x94, 0x20, 0xFF]
        },
        NoteChange(name: "an origin that is no book", status: 2) { note in
          Array(note.replacing("gatebook/", with: "portal/").utf8)
        },
      ]
      for value in [0, 1, 9, 0x0B, 0x0D, 0x1B, 0x1F] as [UInt8] {
        let text = String(Unicode.Scalar(value))
        changes.append(
          NoteChange(name: "an extension with character \(value)", status: 2) { note in
            Array(note.replacing("\n\n", with: "\nextension\(text)\n\n").utf8)
          })
      }
      let names = ["", "a+b", "+\u{301}", " \u{301}", "\u{301}", "a\u{7F}b", "a\u{200B}b"]
      let spaces = [0x85, 0xA0, 0x1680, 0x2003, 0x2028, 0x202F, 0x205F, 0x3000] as [UInt32]
      let spaced = spaces.compactMap(Unicode.Scalar.init).map { "a\(String($0))b" }
      for name in names + spaced {
        // What is no space and combines with none is a name.
        let isName = ["\u{301}", "a\u{7F}b", "a\u{200B}b"].contains(name)
        changes.append(
          NoteChange(name: "the name \(name.unicodeScalars.map(\.value))", status: isName ? 0 : 2) {
            Array(($0 + "— \(name) AAAAAAAA\n").utf8)
          })
      }
      return changes
    }()
  }

  @Test func `both verifiers agree about what a signed note may hold`() throws {
    let (kept, proof) = (gatebook.home + "/kept", gatebook.home + "/event.tlog-proof")
    let key = ["--key", "file:\(gatebook.book).key"]
    #expect(try gatebook.run(["checkpoint", "-o", kept] + key).status == 0)
    #expect(try gatebook.run(["prove", "7", "-o", proof] + key).status == 0)
    let note = try String(contentsOfFile: kept, encoding: .utf8)
    let whole = try String(contentsOfFile: proof, encoding: .utf8)
    let end = try #require(whole.firstRange(of: "\n\n"))
    let head = whole[..<end.upperBound]
    let script = TestServers.sources + "/tools/verify-book"
    for change in NoteChange.all {
      let changed = change.make(note)
      try Data(changed).write(to: URL(filePath: kept))
      try Data(Array(head.utf8) + changed).write(to: URL(filePath: proof))
      let results = [
        try gatebook.run(["verify", "--key", "none", "--against", kept]),
        try pythonVerdict(["--against", kept]),
        try gatebook.run(["verify-proof", proof]),
        try ChildProcess.run(
          script, ["--proof", proof], environment: ProcessInfo.processInfo.environment),
      ]
      // What is no note at all is 1 from the one, 2 from the other.
      let first: Int32 = change.status == 2 ? 1 : change.status
      #expect(
        results.map(\.status) == [first, change.status, first, change.status],
        "\(change.name): \(results.map(\.errors))")
    }
  }

  private func pythonVerdict(_ arguments: [String] = []) throws -> ChildProcess {
    try ChildProcess.run(
      TestServers.sources + "/tools/verify-book", [gatebook.book, "--json"] + arguments,
      environment: ProcessInfo.processInfo.environment)
  }

  private func verdict(of result: ChildProcess, status: Int32) throws -> JSONObject {
    try #require(result.status == status, "\(result.output)\(result.errors)")
    return try JSONObject(result.output)
  }
}
