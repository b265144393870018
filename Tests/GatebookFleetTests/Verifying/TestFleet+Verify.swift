import Gatebook
import Testing

@testable import GatebookFleet

extension TestFleet {
  /// Verifies the fleet as an auditor.
  func verify(book: String? = nil, branch: Int? = nil) async throws(GatebookError) -> FleetVerdict {
    try await FleetVerifier(try access(.auditor)).verify(book: book, branch: branch)
  }

  /// Verifies a fleet with one history.
  func verifiedHistory() async throws -> HistoryVerdict {
    let verdict = try await verify()
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
