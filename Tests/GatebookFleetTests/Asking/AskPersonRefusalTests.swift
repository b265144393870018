import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct AskPersonRefusalTests {
  private static let questions = ["accounts", "sessions", "log"]

  @Test func `a fleet without pseudonyms, or with those of another key, says so`() async throws {
    let fleet = try await PersonFleet()
    let book = try await TestBook.of((TestBook.ada, "ada"))
    try await fleet.ship(book, as: "lap1", hasKey: false)
    for question in Self.questions {
      let none = try fleet.asked.ask([question, "--json"] + fleet.person("ada"))
      #expect(none.exit == 1, "\(question)")
      #expect(none.output.isEmpty)
      #expect(none.errors.contains("\"code\":\"fleet.pseudonyms\""), "\(none.errors)")
      #expect(none.errors.contains("has no pseudonyms"))
    }
    try await fleet.ship(book, as: "lap1")
    let other = try fleet.write(PersonFleet.digits("b"), to: "other")
    for question in Self.questions {
      let wrong = try fleet.asked.ask(
        [question, "--json", "--person", "ada", "--pseudonym-key", other])
      #expect(wrong.exit == 1, "\(question)")
      #expect(wrong.output.isEmpty)
      #expect(wrong.errors.contains("\"code\":\"fleet.pseudonyms\""), "\(wrong.errors)")
      #expect(wrong.errors.contains("under another key"))
      #expect(!wrong.errors.contains("ada"))
    }
  }

  @Test func `a name needs the key, and the key a name`() async throws {
    let fleet = try await PersonFleet()
    try await fleet.ship(try await TestBook.of((TestBook.ada, "ada")), as: "lap1")
    let open = try fleet.write(PersonFleet.digits(), to: "open")
    #expect(OpenFile.open(open, .update)?.setMode(0o644) == true)
    let short = try fleet.write("abc", to: "short")
    let lines: [(words: [String], exit: Int32, part: String)] = [
      (["--person", "ada"], 2, "needs the key"),
      (["--pseudonym-key", fleet.keyPath], 2, "needs `--person`"),
      (["--person=", "--pseudonym-key", fleet.keyPath], 2, "is empty"),
      (["--person", "ada", "--pseudonym-key", open], 1, "can be read by others"),
      (["--person", "ada", "--pseudonym-key", short], 1, "64 hexadecimal digits"),
    ]
    for line in lines {
      let ending = try fleet.asked.ask(["sessions"] + line.words)
      #expect(ending.exit == line.exit, "\(line.words): \(ending.errors)")
      #expect(ending.output.isEmpty)
      #expect(ending.errors.contains(line.part), "\(ending.errors)")
    }
    for question in ["books", "stats", "findings"] {
      #expect(try fleet.asked.ask([question] + fleet.person("ada")).exit == 2)
    }
  }

  /// Names that would do harm in a statement, or on a terminal.
  private static let hostile = [
    "'; DROP SCHEMA gatebook CASCADE; --", "' OR '1'='1", "$1", "?", "%", "\\'", "\u{1B}[31m",
    "{}", "NULL", "ä\u{308}", "a\nb", String(repeating: "n", count: 10_000), " ", "\u{202E}",
  ]

  /// A fleet whose only book has an account for each of them.
  private static let told = Task { () async throws -> PersonFleet in
    let fleet = try await PersonFleet()
    let book = try TestBook()
    for (index, name) in hostile.enumerated() {
      try await book.append(.login(account(index), user: name, userID: "id of \(name)"))
    }
    try await fleet.ship(book, as: "lap1")
    return fleet
  }

  private static func account(_ index: Int) -> AccountID {
    AccountID(high: 0xADA, low: UInt64(index) + 1)
  }

  @Test(arguments: hostile.indices)
  func `a person of any name is found by it, and nobody by another's`(_ index: Int) async throws {
    let fleet = try await Self.told.value
    let name = Self.hostile[index]
    for question in Self.questions {
      let found = try fleet.asked.ask([question, "--json"] + fleet.person(name))
      #expect(found.exit == 0, "\(found.errors)")
      let those = Self.hostile.indices.filter { found.output.contains("\(Self.account($0))") }
      #expect(those == [index], "\(question) \(name)")
    }
    // Each name asks another question in vain.
    let question = Self.questions[index % Self.questions.count]
    let other = try fleet.asked.ask([question] + fleet.person(name + "x"))
    #expect(other.exit == 0, "\(other.errors)")
    #expect(other.output.isEmpty)
    #expect(!other.errors.contains("\u{1B}") && !other.errors.contains("\u{202E}"))
  }

  @Test func `a name reaches neither the server's log nor a statement`() async throws {
    let server = try await FleetServer.shared.value
    let fleet = try await TestFleet()
    let folder = try TestFolder()
    let key = folder.file("key")
    #expect(try #require(OpenFile.open(key, .new)).write(Array(PersonFleet.digits().utf8)))
    try await fleet.ship(
      try await TestBook.of((TestBook.ada, "ada@secret.example")),
      options: ShipmentOptions(machine: "lap1", pseudonymKey: try PersonFleet.key()))
    try server.run("ALTER DATABASE \(fleet.database) SET log_statement = 'all'")
    for name in ["ada@secret.example", "eve@secret.example"] {
      let ending = try Asked(fleet: fleet).ask(
        ["sessions", "--person", name, "--pseudonym-key", key])
      #expect(ending.exit == 0, "\(ending.errors)")
    }
    let log = Files.text(of: server.folder + "/log")
    // Only this test has its statements logged.
    #expect(log.contains("LOG:  execute <unnamed>: "))
    #expect(log.contains("gatebook.pseudonym"), "what is asked is logged with its parameters")
    #expect(!log.contains("secret.example"))
  }

  @Test func `the accounts of a person are found by the index of pseudonyms`() async throws {
    let fleet = try await PersonFleet()
    try await fleet.ship(try await TestBook.written(events: 40), as: "lap1")
    let connection = try fleet.fleet.connect(.auditor)
    try connection.beginReading()
    let (statement, conditions) = PersonMatch.question(
      FleetPerson("ada", try PersonFleet.key()), [], isWhole: true)
    let plan = try connection.byKeys { () throws(GatebookError) in
      try connection.run("EXPLAIN \(statement)", conditions).map { $0.text(0) }
    }.joined(separator: "\n")
    #expect(!plan.contains("Seq Scan"), "\(plan)")
    #expect(plan.matches(of: /using pseudonym_[0-9]+_value_idx/).count == FleetSchema.parts)
  }
}
