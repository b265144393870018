import Gatebook
import Testing

@testable import GatebookFleet

/// Rows of events that somebody changed in PostgreSQL.
@Suite(.serialized) struct VerifyRowsTests {
  /// A fleet whose rows are put back after each change.
  private static let changed = Task { try await TestFleet.changedWithBook() }

  /// Changes of one column, as `SET` says them.
  static let changes = [
    "version = version + 1", "revision = revision + 1", "at = at + 1", "cause = 2",
    "process = process + 1", "program = 99", "id = gen_random_uuid()",
    "account = gen_random_uuid()", "session = gen_random_uuid()", "kind = 'session.ended'",
    "data = '{}'", "data = data || ' '", "sealed = 'x'", "leaf = sha256('x')", "leaf = ''",
    "cause = 60, data = '{\"b\":1,\"a\":2}'",
  ]

  @Test(arguments: changes) func `a changed column is found`(change: String) async throws {
    let whole = try await Self.changed.value
    // An event with facts, with a session, with a cause other than 2.
    let place = try whole.fleet.value(
      """
      SELECT min(position) FROM gatebook.event WHERE position > 50 AND kind = 'cookies.changed'
      """)
    let history = try await whole.changed(
      by: "UPDATE gatebook.event SET \(change) WHERE position = \(place ?? "")"
    ) { try await $0.verifiedHistory() }
    #expect(!history.ok)
    #expect(try history.book == whole.book.reader().id)
    #expect(history.firstBad.map { "\($0)" } == place, "\(history.problems)")
  }

  @Test func `a withheld row keeps no facts back that were sent`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    try fleet.run(
      "UPDATE gatebook.event SET withheld = true WHERE position = 60; "
        + "UPDATE gatebook.event SET withheld = true WHERE position = 2")
    let history = try await fleet.verifiedHistory()
    #expect(history.firstBad == Position(rawValue: 2))
    #expect(history.withheld == 2)
    #expect(history.problems.count == 3, "\(history.problems)")
  }

  @Test(arguments: [1, 2, 57, 108, 109] as [Int64])
  func `a deleted event is found`(position: Int64) async throws {
    let whole = try await Self.changed.value
    try #require(try whole.fleet.value("SELECT max(position) FROM gatebook.event") == "109")
    let history = try await whole.changed(
      by: "DELETE FROM gatebook.event WHERE position = \(position)"
    ) { try await $0.verifiedHistory() }
    #expect(history.firstBad == Position(rawValue: position))
    #expect(
      history.problems.contains("The event at position \(position) is missing."),
      "\(history.problems)")
  }

  @Test(arguments: [-3, 0, 110, 5000] as [Int64])
  func `an added event is found`(position: Int64) async throws {
    let history = try await Self.changed.value.changed(
      by: """
        INSERT INTO gatebook.event SELECT book, branch, version, \(position), revision, at, cause,
          process, program, withheld, id, account, session, kind, data, sealed, leaf
        FROM gatebook.event WHERE position = 50
        """
    ) { try await $0.verifiedHistory() }
    #expect(history.firstBad == Position(rawValue: max(1, position)))
    #expect(
      history.problems == [
        "The event at position \(position) does not belong to the history, which has the positions from "
          + "1 to 109."
      ])
  }

  @Test func `two events that were swapped are found`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    try fleet.run(
      """
      UPDATE gatebook.event SET position = -1 WHERE position = 40;
      UPDATE gatebook.event SET position = 40 WHERE position = 41;
      UPDATE gatebook.event SET position = 41 WHERE position = -1;
      """)
    let history = try await fleet.verifiedHistory()
    #expect(history.firstBad == Position(rawValue: 40))
    #expect(history.problems.contains("The event at position 41 was changed."))
  }

  @Test func `an event whose hash was computed again is found by the roots`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    try await book.grow(by: 60)
    try await fleet.ship(book)
    #expect(try await fleet.verify().ok)
    try fleet.rewrite(150)
    let history = try await fleet.verifiedHistory()
    // The head of the first shipment still agrees.
    #expect(history.covered == Position(rawValue: 109))
    #expect(history.firstBad == Position(rawValue: 110))
    #expect(
      history.problems.contains {
        $0.hasPrefix("The events from 110 to 169 do not give the root that was stored")
      }, "\(history.problems)")
  }

  @Test func `problems are capped`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    try fleet.run("UPDATE gatebook.event SET at = at + 1 WHERE position > 30")
    let history = try await fleet.verifiedHistory()
    #expect(history.problems.count == 20)
    #expect(history.firstBad == Position(rawValue: 31))
  }

  @Test func `rows of unknown books and histories are found`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    let stranger = BookID(high: 7, low: 9)
    for (table, columns) in [
      (
        "event",
        "version, position, revision, at, cause, process, program, withheld, id, account, session, kind, "
          + "data, sealed, leaf"
      ), ("checkpoint", "size, root, checkpoint, received"), ("tally", "day, kind, events"),
      ("total", "kind, events"), ("state", "part, name, state"),
    ] {
      try fleet.run(
        "INSERT INTO gatebook.\(table) SELECT book, 3, \(columns) FROM gatebook.\(table) LIMIT 1")
      var verdict = try await fleet.verify()
      #expect(verdict.histories.map(\.branch) == [0, 3])
      #expect(verdict.histories.map(\.ok) == [true, false])
      #expect(try verdict.histories.last?.book == book.reader().id)
      try fleet.run("UPDATE gatebook.\(table) SET book = '\(stranger)' WHERE branch = 3")
      verdict = try await fleet.verify()
      #expect(verdict.histories.map(\.ok) == [true])
      #expect(verdict.unknownBooks == [stranger])
      #expect(!verdict.ok)
      try fleet.run("DELETE FROM gatebook.\(table) WHERE book = '\(stranger)'")
    }
    #expect(try await fleet.verify().ok)
  }
}
