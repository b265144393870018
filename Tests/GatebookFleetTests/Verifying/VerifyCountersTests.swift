import Gatebook
import Testing

@testable import GatebookFleet

/// Counters and states that somebody changed in PostgreSQL.
@Suite struct VerifyCountersTests {
  /// Changes, and how the only problem begins that they make.
  static let changes: [(String, String)] = [
    (
      "UPDATE gatebook.total SET events = events + 1 WHERE kind = 'clock.observed'",
      "The total of `clock.observed` is 21, but the count of the events is 20."
    ),
    (
      "DELETE FROM gatebook.total WHERE kind = 'account.renamed'",
      "The total of `account.renamed` is 0, but the count of the events is "
    ),
    (
      "INSERT INTO gatebook.total SELECT book, branch, 'made.up', 3 FROM gatebook.branch",
      "The total of `made.up` is 3, but the count of the events is 0."
    ),
    (
      "UPDATE gatebook.tally SET events = events + 1 WHERE kind = 'book.created'",
      "The counter of `book.created` on day "
    ),
    (
      "UPDATE gatebook.branch SET first_at = first_at + 1",
      "The time of the first event is stored as "
    ),
    ("UPDATE gatebook.branch SET last_at = first_at", "The time of the last event is stored as "),
    (
      "UPDATE gatebook.branch SET last_at = NULL",
      "The time of the last event is stored as none, but that event has "
    ),
    (
      "UPDATE gatebook.branch SET accounts = 7",
      "The history counts 7 accounts, but its states have 2."
    ),
    (
      "UPDATE gatebook.branch SET usable = 0",
      "The history counts 0 usable sessions, but its states have 2."
    ),
    (
      """
      UPDATE gatebook.state SET state = replace(state, '"state":"active"', '"state":"ended"')
      WHERE part = 'account' AND name =
        (SELECT name FROM gatebook.state WHERE part = 'account' LIMIT 1)
      """, "The history counts 2 usable sessions, but its states have 1."
    ),
  ]

  /// A fleet whose rows are put back after each change.
  private static let changed = Task { try await TestFleet.changedWithBook() }

  @Test(.serialized, arguments: changes)
  func `a counter that was changed is found`(change: String, problem: String) async throws {
    let history = try await Self.changed.value.changed(by: change) {
      try await $0.verifiedHistory()
    }
    #expect(history.problems.count == 1, "\(history.problems)")
    #expect(history.problems.first?.hasPrefix(problem) == true, "\(history.problems)")
    // The events themselves are right.
    #expect(history.firstBad == nil)
  }

  @Test func `a state that was deleted is found`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    try fleet.run("DELETE FROM gatebook.state WHERE part = 'account'")
    let history = try await fleet.verifiedHistory()
    #expect(
      history.problems == [
        "The history counts 2 accounts, but its states have 0.",
        "The history counts 2 usable sessions, but its states have 0.",
      ])
  }

  @Test func `of a history with missing events no counter is said to be wrong`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    try fleet.run("DELETE FROM gatebook.event WHERE position > 100")
    let history = try await fleet.verifiedHistory()
    #expect(history.firstBad == Position(rawValue: 101))
    #expect(history.problems.allSatisfy { !$0.contains("total") && !$0.contains("counts") })
    #expect(history.problems.allSatisfy { !$0.contains("The time of") }, "\(history.problems)")
  }

  @Test func `counters of more kinds than are kept here are compared there`() async throws {
    let fleet = try await TestFleet()
    try fleet.beginByHand()
    let id = StagedEvent.book
    // Their leaves are wrong, and that is found too.
    try fleet.run(
      """
      INSERT INTO gatebook.program VALUES ('\(id)', 1, 'x', 'x', 'x', '\(id)');
      INSERT INTO gatebook.event SELECT '\(id)', 0, 1, n, n, 5, NULL, 1, 1, false, gen_random_uuid(), NULL,
        NULL, 'kind.' || n, '{}', NULL, sha256('x') FROM generate_series(1, 5000) n;
      INSERT INTO gatebook.tally SELECT book, branch, 0, kind, 1 FROM gatebook.event;
      INSERT INTO gatebook.total SELECT book, branch, kind, 1 FROM gatebook.event;
      UPDATE gatebook.branch SET size = 5000, first_at = 5, last_at = 5;
      """)
    let kinds = try countedThere(fleet)
    #expect(kinds.isEmpty)
    try fleet.run(
      """
      UPDATE gatebook.total SET events = 2 WHERE kind = 'kind.17';
      UPDATE gatebook.tally SET events = 3 WHERE kind = 'kind.4711';
      DELETE FROM gatebook.tally WHERE kind = 'kind.5000';
      """)
    #expect(
      try countedThere(fleet) == [
        "The counter of `kind.4711` on day 0 since 1970-01-01 is 3, but the count of the events is 1.",
        "The counter of `kind.5000` on day 0 since 1970-01-01 is 0, but the count of the events is 1.",
        "The total of `kind.17` is 2, but the count of the events is 1.",
      ])
  }

  /// What the server finds of the totals and counters of a history with too many kinds.
  private func countedThere(_ fleet: TestFleet) throws -> [String] {
    let connection = try fleet.connect(.auditor)
    let book = try #require(BookID(StagedEvent.book.replacing("-", with: "")))
    let head = try #require(try HistoryHead.all(book, connection).first)
    var check = HistoryCheck(
      head, of: book, nil, start: nil, after: nil, bases: [], try ProgramTable(book, connection))
    try connection.talk { (postgres) throws(PostgresFailure) in
      try postgres.copyOut(
        """
        COPY (SELECT \(EventRow.columns) FROM gatebook.event ORDER BY position) TO STDOUT (FORMAT binary)
        """
      ) { piece in
        if let row = EventRow(piece) { check.take(row) }
      }
    }
    #expect(check.kinds.isOver)
    return try CounterCheck(check, book, connection).findings.problems
  }
}
