import Gatebook
import Testing

@testable import GatebookFleet

/// `gatebook fleet forget`.
@Suite struct ForgetCommandTests {
  private func shipped() async throws -> (fleet: TestFleet, book: TestBook, moment: Timestamp) {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 300)
    try await fleet.ship(book)
    return (fleet, book, try book.moment(of: 250))
  }

  private func run(
    _ fleet: TestFleet, _ words: [String], as role: FleetRole = .owner
  ) throws -> GatebookProcess.Ending {
    try GatebookProcess.run(["fleet", "forget", "--fleet", fleet.url(role)] + words)
  }

  @Test func `a dry run shows what would be dropped, to an auditor too`() async throws {
    let (fleet, book, moment) = try await shipped()
    let end = try book.end(before: moment)
    let words = ["--before", moment.description, "--dry-run"]
    let text = try run(fleet, words, as: .auditor)
    #expect(text.exit == 0, "\(text.errors)")
    #expect(text.output.contains("laptop"))
    #expect(text.errors.contains("\(end) events of 1 history would be dropped"), "\(text.errors)")
    let json = try run(fleet, words + ["--json"])
    #expect(
      json.output == """
        {"book":"\(try book.id)","machine":"laptop","first":1,"last":\(end),"events":\(end)}

        """)
    #expect(try fleet.events().count == 309)
    let none = try run(fleet, ["--before", "2020-01-01", "--dry-run"])
    #expect(none.errors.contains("No history begins with events before that time."))
  }

  @Test func `without a terminal it wants to be sure, and then says what it did`() async throws {
    let (fleet, book, moment) = try await shipped()
    let end = try book.end(before: moment)
    let words = ["--before", moment.description]
    let asked = try run(fleet, words)
    #expect(asked.exit == 2)
    #expect(asked.errors.contains("add `--yes`"))
    #expect(try fleet.events().count == 309)
    let json = try run(fleet, words + ["--yes", "--json", "--book", "laptop"])
    #expect(
      json.output == """
        {"book":"\(try book.id)","machine":"laptop","forgotten":\(end),"events":\(end),\
        "level":"signed","covered":309}

        """)
    let again = try run(fleet, words + ["--yes"])
    #expect(again.exit == 0)
    #expect(again.errors.contains("No history begins with events before that time."))
    let later = try run(fleet, ["--before", try book.moment(of: 300).description, "--yes"])
    #expect(later.output == "The fleet forgot 50 events of 1 history. They agreed.\n")
  }

  @Test func `a changed event ends with 5`() async throws {
    let (fleet, book, moment) = try await shipped()
    try fleet.run("UPDATE gatebook.event SET at = at + 1 WHERE position = 77")
    let words = ["--before", moment.description, "--yes"]
    let text = try run(fleet, words)
    #expect(text.exit == 5, "\(text.errors)")
    #expect(
      text.output == """
        laptop: does not agree. Its events were kept.
        - The event at position 77 was changed.

        """)
    let json = try run(fleet, words + ["--json"])
    #expect(json.exit == 5)
    #expect(
      json.output == """
        {"book":"\(try book.id)","machine":"laptop","kept":"mismatch","firstBad":77,\
        "problems":["The event at position 77 was changed."]}

        """)
  }

  @Test(arguments: [FleetRole.auditor, .shipper, .stranger])
  func `only the owner's role may`(_ role: FleetRole) async throws {
    let (fleet, _, moment) = try await shipped()
    let ending = try run(fleet, ["--before", moment.description, "--yes"], as: role)
    #expect(ending.exit == 3, "\(ending.errors)")
    #expect(try fleet.events().count == 309)
    let call = """
      SELECT gatebook.forget('\(StagedEvent.book)', 0, 1, 0, '{}', '{}', '{}', '')
      """
    let failure = #expect(throws: PostgresFailure.self) {
      try fleet.connect(role).postgres.run(call)
    }
    #expect(failure?.state == "42501")
  }

  @Test func `what is typed wrongly is wrong usage`() async throws {
    let (fleet, _, moment) = try await shipped()
    for words in [
      [], ["--before", "noway"], ["--before", "2200-01-01"],
      ["--before", moment.description, "--book", "nobody"],
    ] {
      let ending = try run(fleet, words + ["--yes"])
      #expect(ending.exit == 2, "\(words): \(ending.errors)")
    }
    #expect(try fleet.events().count == 309)
  }
}
