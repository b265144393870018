import Gatebook
import Testing

@testable import GatebookFleet

/// Pseudonyms and erased accounts that somebody added in PostgreSQL, or took away.
@Suite struct VerifyErasedTests {
  /// A fleet with a book that erased Bob.
  private static func erased() async throws -> TestFleet {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 20)
    try await book.append(.erasing(TestBook.bob))
    let key = try PseudonymKey(Secret(String(repeating: "a", count: 64)))
    try await fleet.ship(
      book, options: ShipmentOptions(machine: "laptop", pseudonymKey: key))
    return fleet
  }

  @Test func `a book that erased an account is whole`() async throws {
    let fleet = try await Self.erased()
    #expect(try fleet.value("SELECT count(*) FROM gatebook.erased") == "1")
    #expect(try fleet.value("SELECT count(*) > 0 FROM gatebook.pseudonym") == "true")
    let history = try await fleet.verifiedHistory()
    #expect(history.ok, "\(history.problems)")
  }

  private static let kept =
    "The fleet has pseudonyms of erased accounts, which were deleted when the accounts were erased. "
    + "Number of accounts: 1."
  private static let missing =
    "Events erase accounts that are missing in gatebook.erased. Number of accounts: 1."

  @Test func `a pseudonym of an erased account is found`() async throws {
    let fleet = try await Self.erased()
    try fleet.run(
      "INSERT INTO gatebook.pseudonym SELECT book, account, sha256('x') FROM gatebook.erased")
    #expect(try await fleet.verifiedHistory().problems == [Self.kept])
    // Without the note of the erase, the event says it.
    try fleet.run("DELETE FROM gatebook.erased")
    #expect(try await fleet.verifiedHistory().problems == [Self.kept, Self.missing])
    try fleet.run("DELETE FROM gatebook.pseudonym")
    #expect(try await fleet.verifiedHistory().problems == [Self.missing])
  }

  @Test(arguments: [
    "pseudonym SELECT '\(stranger)', account, value", "erased SELECT '\(stranger)', account",
  ])
  func `rows of a book that is not there are found`(columns: String) async throws {
    let fleet = try await Self.erased()
    let table = columns.prefix { $0 != " " }
    try fleet.run("INSERT INTO gatebook.\(columns) FROM gatebook.\(table) LIMIT 1")
    let verdict = try await fleet.verify()
    #expect(verdict.histories.map(\.ok) == [true])
    #expect(verdict.unknownBooks == [Self.stranger])
  }

  private static let stranger = BookID(high: 7, low: 9)
}
