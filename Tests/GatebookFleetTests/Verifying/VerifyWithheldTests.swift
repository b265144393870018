import Gatebook
import Testing

@testable import GatebookFleet

/// Events whose hashes cannot be computed again, because their encrypted facts stayed at home.
@Suite struct VerifyWithheldTests {
  /// Changes the facts of an event, and marks it as withheld.
  private static func forge(_ position: Int64, in fleet: TestFleet) throws {
    try fleet.run(
      """
      UPDATE gatebook.event SET data = '{"forged":1}', withheld = true, sealed = NULL
      WHERE position = \(position)
      """)
    try fleet.recount()
  }

  @Test func `a changed event that counts as withheld is named, and nothing signed covers it`()
    async throws
  {
    let (fleet, _) = try await TestFleet.withBook()
    try Self.forge(57, in: fleet)
    let history = try await fleet.verifiedHistory()
    // Nothing can show that it was changed.
    #expect(history.ok, "\(history.problems)")
    #expect(history.level == .withheld)
    #expect(history.firstWithheld == Position(rawValue: 57))
    #expect(history.withheld == 1)
    #expect(history.sealed > 0)
    let text = try GatebookProcess.run(
      ["fleet", "verify", "--fleet", fleet.url(.auditor), "--book", "laptop"])
    #expect(text.exit == 0, "\(text.errors)")
    #expect(!text.output.contains("covers all of them"))
    #expect(
      text.output.contains(
        "1 event came without encrypted facts, the first at position 57. Only the place of such an event "
          + "in the history is proven, not its content."), "\(text.output)")
    #expect(text.output.contains("and so does somebody who changed events in the database."))
    let json = try GatebookProcess.run(
      ["fleet", "verify", "--fleet", fleet.url(.auditor), "--json"])
    #expect(
      json.output.contains(#""level":"withheld","covered":109,"problems":[],"withheld":1,"#)
        && json.output.contains(#""firstWithheld":57,"sealed":\#(history.sealed)"#),
      "\(json.output)")
  }

  @Test func `a book that is shipped without encrypted facts names the first event`() async throws {
    let (fleet, _) = try await TestFleet.withBook(options: ShipmentOptions(sendsPersonal: false))
    let history = try await fleet.verifiedHistory()
    #expect(history.level == .withheld)
    #expect(history.firstWithheld == Position(rawValue: 2))
    #expect(history.sealed == 0)
    let text = try GatebookProcess.run(["fleet", "verify", "--fleet", fleet.url(.auditor)])
    #expect(text.output.contains("the first at position 2."), "\(text.output)")
    #expect(!text.output.contains("somebody who changed"))
  }

  @Test func `a machine may change what it ships`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    try await book.grow(by: 20)
    try await fleet.ship(book, options: ShipmentOptions(sendsPersonal: false))
    let history = try await fleet.verifiedHistory()
    #expect(history.ok, "\(history.problems)")
    #expect(history.level == .withheld)
    #expect(history.firstWithheld.map { $0 > Position(rawValue: 109) } == true)
    #expect(history.sealed > 0)
  }

  @Test func `a copy shares the events whose content is not proven`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    let copy = try book.copied()
    try await book.grow(by: 10)
    try await copy.grow(by: 12)
    try await fleet.ship(book)
    try await fleet.ship(copy)
    try Self.forge(57, in: fleet)
    try fleet.run(
      "UPDATE gatebook.branch SET withheld = 0 WHERE branch = 1; "
        + "UPDATE gatebook.branch SET withheld = 1 WHERE branch = 0")
    let verdict = try await fleet.verify()
    #expect(verdict.histories.map(\.level) == [.withheld, .withheld])
    #expect(verdict.histories.map(\.withheld) == [1, 0])
    #expect(verdict.histories.map(\.firstWithheld?.rawValue) == [57, 57])
  }

  @Test func `a withheld event refers to a program that there is`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    try Self.forge(57, in: fleet)
    try fleet.run("UPDATE gatebook.event SET program = 99 WHERE position = 57")
    #expect(
      try await fleet.verifiedHistory().problems == [
        "The event at position 57 refers to a program that does not exist."
      ])
  }
}
