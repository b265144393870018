import Gatebook
import GatebookSystem
import Testing

@testable import GatebookFleet

struct AskRefusalTests {
  private static let questions = ["books", "accounts", "sessions", "log", "stats", "findings"]

  /// One fleet with a book for all tests that change nothing.
  private static let shipped = Task { () async throws -> TestFleet in
    let fleet = try await TestFleet()
    try await fleet.ship(try await TestBook.written(events: 5))
    return fleet
  }

  @Test(arguments: [FleetRole.stranger, .shipper], questions)
  func `who is no auditor is refused`(_ role: FleetRole, _ question: String) async throws {
    let ending = try Asked(fleet: try await Self.shipped.value).ask([question], as: role)
    #expect(ending.exit == 3)
    #expect(ending.output.isEmpty)
    #expect(ending.errors.contains("GRANT gatebook_auditor"))
  }

  @Test func `an auditor changes nothing`() async throws {
    let fleet = try await Self.shipped.value
    for statement in [
      "DELETE FROM gatebook.event", "UPDATE gatebook.branch SET owner = 'x'",
      "INSERT INTO gatebook.total SELECT * FROM gatebook.total", "TRUNCATE gatebook.notice",
    ] {
      #expect(throws: GatebookError.self) { try fleet.run(statement, as: .auditor) }
    }
  }

  /// Words that would do harm in a statement or on a terminal.
  private static let hostile = [
    "'; DROP SCHEMA gatebook CASCADE; -- \"", "$1 ? % \\'", "lap\u{1B}[31m",
    String(repeating: "x'", count: 5000),
  ]

  @Test(arguments: hostile)
  func `no option reaches the statements`(_ text: String) async throws {
    let fleet = try await Self.shipped.value
    let asked = Asked(fleet: fleet)
    let counts = "SELECT count(*) FROM gatebook.event"
    let before = try fleet.value(counts)
    for question in Self.questions {
      var lines = [
        [question, "--book=\(text)"], [question, "--branch=\(text)"],
      ]
      if question != "books" { lines.append([question, "--account=\(text)"]) }
      if question == "log" {
        for option in ["--kind", "--since", "--until", "--limit", "--after"] {
          lines.append([question, "\(option)=\(text)"])
        }
      }
      if question == "sessions" { lines.append([question, "--as-of=\(text)"]) }
      let own =
        switch question {
        case "stats": ["--since", "--until", "--by"]
        case "findings": ["--since", "--until", "--severity", "--silent-after"]
        default: []
        }
      lines += own.map { [question, "\($0)=\(text)"] }
      for line in lines {
        let ending = try asked.ask(line)
        #expect(ending.exit == 2, "\(line): \(ending.errors)")
        #expect(ending.output.isEmpty, "\(line)")
        #expect(!ending.errors.contains("\u{1B}"), "\(line)")
        #expect(!ending.errors.contains("did not accept"), "\(line)")
        // The command knows the option: what it refuses is the value.
        #expect(!ending.errors.contains("has no option"), "\(line): \(ending.errors)")
      }
    }
    #expect(try fleet.value(counts) == before)
  }

  @Test func `a machine of any name is found by it, and prints harmlessly`() async throws {
    let fleet = try await TestFleet()
    for name in Self.hostile {
      try await fleet.ship(
        try await TestBook.written(events: 5), options: ShipmentOptions(machine: name))
    }
    let asked = Asked(fleet: fleet)
    for name in Self.hostile {
      for question in Self.questions {
        let ending = try asked.ask([question, "--book=\(name)"])
        #expect(ending.exit == 0, "\(question) \(name): \(ending.errors)")
        #expect(!(ending.output + ending.errors).contains("\u{1B}"), "\(question) \(name)")
      }
      #expect(try asked.lines(["books", "--book=\(name)"]).count == 1)
    }
  }

  @Test func `a state or an event that no book wrote is named and hides no others`() async throws {
    let fleet = try await TestFleet()
    let (good, bad) = (
      try await TestBook.written(events: 20), try await TestBook.written(events: 20)
    )
    try await fleet.ship(good, options: ShipmentOptions(machine: "good"))
    try await fleet.ship(bad, options: ShipmentOptions(machine: "bad"))
    try fleet.run(
      """
      UPDATE gatebook.state SET state = '{"state":"\\u0000"}'
        WHERE book = '\(try bad.id)' AND part = 'account';
      UPDATE gatebook.event SET data = '{"a":' WHERE book = '\(try bad.id)' AND position = 10
      """)
    let asked = Asked(fleet: fleet)
    for (question, lost) in [("accounts", 2), ("log", 1), ("stats", 0), ("findings", 0)] {
      let ending = try asked.ask([question, "--json"])
      #expect(ending.exit == (lost == 0 ? 0 : 5), "\(ending.errors)")
      guard lost > 0 else { continue }
      let all = question == "log" ? 58 : 4
      #expect(ending.output.split(separator: "\n").count == all - lost, "\(question)")
      #expect(ending.errors.contains("something of bad that no book wrote"))
    }
  }

  @Test func `no fleet, no URL and a wrong URL have exits of their own`() async throws {
    #expect(try GatebookProcess.run(["fleet", "books"]).exit == 2)
    #expect(
      try GatebookProcess.run(["fleet", "books", "--fleet", "postgresql://a:b@127.0.0.1/x"]).exit
        == 2)
    #expect(
      try GatebookProcess.run(["fleet", "books", "--fleet", "postgresql://a@127.0.0.1:1/x"]).exit
        == 4)
    let fleet = try await TestFleet()
    let ending = try GatebookProcess.run(
      ["fleet", "books", "--fleet", fleet.server.url(.auditor, "postgres")])
    #expect(ending.exit == 7)
  }
}
