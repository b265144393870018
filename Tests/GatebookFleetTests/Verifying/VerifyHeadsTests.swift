import Gatebook
import Testing

@testable import GatebookFleet

/// Heads, counters and programs that somebody changed in PostgreSQL.
@Suite struct VerifyHeadsTests {
  /// Statements, and how the problem begins that they make.
  static let changes: [(String, String)] = [
    ("UPDATE gatebook.branch SET root = sha256('x')", "The stored root of the first 109 events"),
    (
      "UPDATE gatebook.checkpoint SET root = sha256('x'), checkpoint = NULL",
      "The stored root of the first 109 events"
    ),
    ("UPDATE gatebook.checkpoint SET root = NULL", "The head of size 109 has no root."),
    (
      "UPDATE gatebook.branch SET checkpoint = replace(checkpoint, 'gatebook/', 'gatebook-')",
      "The checkpoint of the first 109 events is not a signed note."
    ),
    (
      "UPDATE gatebook.branch SET checkpoint = 'ada'",
      "The checkpoint of the first 109 events is not a signed note."
    ),
    (
      "UPDATE gatebook.branch SET checkpoint = overlay(checkpoint placing E'\\n108\\n' FROM "
        + "strpos(checkpoint, E'\\n109\\n'))",
      "The checkpoint of the first 109 events is not of this book, or not signed by its key."
    ),
    (
      "UPDATE gatebook.checkpoint SET size = 108", "The checkpoint of the first 108 events"
    ),
    (
      "INSERT INTO gatebook.checkpoint SELECT book, branch, 200, root, NULL FROM gatebook.branch",
      "A head of 200 events is stored, but the history ends at position 109."
    ),
    ("UPDATE gatebook.branch SET size = 120", "The events from position 110 to 120 are missing."),
    (
      "UPDATE gatebook.branch SET size = 1::bigint << 60",
      "The row of the history in gatebook.branch"
    ),
    ("UPDATE gatebook.branch SET first = 2", "Nothing says what the history begins with"),
    ("UPDATE gatebook.branch SET base = 2", "The row of the history in gatebook.branch"),
    ("UPDATE gatebook.branch SET floor = 9", "The record of where the history begins"),
    ("UPDATE gatebook.branch SET lost = '{[5,7)}'", "The list of lost events was changed."),
    ("UPDATE gatebook.branch SET lost = '{(,7)}'", "The row of the history in gatebook.branch"),
    ("UPDATE gatebook.branch SET withheld = 4", "The history counts 4 events without"),
    (
      "UPDATE gatebook.tally SET events = events + 1 WHERE kind = 'book.created'",
      "The counter of `book.created`"
    ),
    (
      "DELETE FROM gatebook.tally WHERE kind = 'login.succeeded'",
      "The counter of `login.succeeded`"
    ),
    (
      "INSERT INTO gatebook.tally SELECT book, branch, 5, 'x', 1 FROM gatebook.branch",
      "The counter of `x` on day 5"
    ),
    ("UPDATE gatebook.program SET name = 'evil'", "Program 1 in gatebook.program"),
    (
      "INSERT INTO gatebook.past SELECT book, branch, 'roster', '', '{}' FROM gatebook.branch",
      "The record of where the history begins"
    ),
  ]

  /// A fleet whose rows are put back after each change.
  private static let changed = Task { try await TestFleet.changedWithBook() }

  @Test(.serialized, arguments: changes) func `a changed row is found`(
    change: (sql: String, problem: String)
  ) async throws {
    let history = try await Self.changed.value.changed(by: change.sql) {
      try await $0.verifiedHistory()
    }
    #expect(history.problems.contains { $0.hasPrefix(change.problem) }, "\(history.problems)")
  }

  @Test func `the checkpoint of another book is refused`() async throws {
    let (fleet, _) = try await TestFleet.withBook()
    let other = try await TestBook.written(events: 100)
    let note = try other.reader().checkpoint()
    try fleet.run("UPDATE gatebook.branch SET checkpoint = '\(note)'")
    let history = try await fleet.verifiedHistory()
    #expect(
      history.problems == [
        "The checkpoint of the first 109 events is not of this book, or not signed by its key."
      ])
  }

  @Test func `an older checkpoint is not one of the head`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    try await book.grow(by: 10)
    try await fleet.ship(book)
    try fleet.run(
      """
      UPDATE gatebook.branch b SET checkpoint = (SELECT checkpoint FROM gatebook.checkpoint c
        WHERE c.book = b.book AND c.size = 109)
      """)
    let history = try await fleet.verifiedHistory()
    #expect(
      history.problems == ["The checkpoint of the first 119 events is of another size or root."])
  }

  @Test
  func `events and heads that were both taken back are right only without a later checkpoint`()
    async throws
  {
    let (fleet, book) = try await TestFleet.withBook()
    try await book.grow(by: 10)
    try await fleet.ship(book)
    try fleet.run(
      """
      DELETE FROM gatebook.event WHERE position > 109;
      UPDATE gatebook.branch b SET (size, root, checkpoint) = (SELECT size, root, checkpoint
        FROM gatebook.checkpoint c WHERE c.book = b.book AND c.size = 109);
      """)
    let history = try await fleet.verifiedHistory()
    #expect(
      history.problems.contains(
        "A head of 119 events is stored, but the history ends at position 109."))
  }
}
