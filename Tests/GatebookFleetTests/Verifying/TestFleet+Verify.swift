import Gatebook
import Testing

@testable import GatebookFleet

extension TestFleet {
  /// Verifies the fleet as an auditor.
  func verify(
    book: String? = nil, branch: Int? = nil, against kept: FleetHeads? = nil, states: Bool = false
  ) async throws(GatebookError) -> FleetVerdict {
    try await FleetVerifier(try access(.auditor)).verify(
      book: book, branch: branch, against: kept, states: states)
  }

  /// Verifies a fleet with one history.
  func verifiedHistory(
    against kept: FleetHeads? = nil, states: Bool = false
  ) async throws -> HistoryVerdict {
    let verdict = try await verify(against: kept, states: states)
    #expect(verdict.histories.count == 1)
    return try #require(verdict.histories.first)
  }

  /// A fleet with one shipped book.
  static func withBook(
    options: ShipmentOptions = ShipmentOptions(machine: "laptop"), isSigned: Bool = true
  ) async throws -> (fleet: TestFleet, book: TestBook) {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 100)
    try await fleet.ship(book, isSigned: isSigned, options: options)
    return (fleet, book)
  }

  /// Counts all events of the only history again, as somebody does who hides a change.
  func recount() throws(GatebookError) {
    try run(
      """
      DELETE FROM gatebook.tally; DELETE FROM gatebook.total;
      INSERT INTO gatebook.tally SELECT book, branch, gatebook.day_of(at), kind, count(*)
        FROM gatebook.event GROUP BY 1, 2, 3, 4;
      INSERT INTO gatebook.total SELECT book, branch, kind, sum(events) FROM gatebook.tally GROUP BY 1, 2, 3;
      UPDATE gatebook.branch SET
        withheld = (SELECT count(*) FROM gatebook.event e WHERE e.withheld),
        first_at = (SELECT at FROM gatebook.event ORDER BY position LIMIT 1),
        last_at = (SELECT at FROM gatebook.event ORDER BY position DESC LIMIT 1);
      """)
  }

  /// Changes an event as somebody does who computes its leaf, too.
  func rewrite(_ position: Int64, branch: Int = 0) throws(GatebookError) {
    try run(
      """
      UPDATE gatebook.event e SET at = at + 1, leaf = sha256('\\x00'::bytea || gatebook.canonical(
        position, id, account, revision, session, kind, e.version, at + 1, cause,
        (SELECT described FROM gatebook.program p WHERE p.book = e.book AND number = e.program),
        process, data, sealed))
      WHERE position = \(position) AND branch = \(branch)
      """)
  }
}
