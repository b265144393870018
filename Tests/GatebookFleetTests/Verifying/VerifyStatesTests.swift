import Gatebook
import Testing

@testable import GatebookFleet
@testable import GatebookStore

/// States of accounts and sessions that somebody changed in PostgreSQL, or a shipper made up.
@Suite struct VerifyStatesTests {
  private static let session = SessionID(high: 0x5E55, low: 1)

  /// Changes, and the only problem that they make.
  static let changes: [(String, String)] = [
    (
      "DELETE FROM gatebook.state WHERE part = 'session' AND name = '\\x\(session)'",
      "The stored state of session \(session) is missing."
    ),
    (
      "DELETE FROM gatebook.state WHERE part = 'roster'",
      "The stored state of the roster is missing."
    ),
    (
      "UPDATE gatebook.state SET state = replace(state, 'mail.example', 'evil.example') "
        + "WHERE part = 'account' AND name = '\\x\(TestBook.ada)'",
      "The stored state of account \(TestBook.ada) is not what the events say."
    ),
    (
      "INSERT INTO gatebook.state SELECT book, branch, part, '\\x07', state FROM gatebook.state "
        + "WHERE part = 'session' LIMIT 1",
      "The stored state of session 07 is there, but no event has made it."
    ),
    (
      "UPDATE gatebook.branch SET folded = 110",
      "The stored states are those after position 110, but the history ends at position 109."
    ),
  ]

  @Test(arguments: changes)
  func `a changed state is found where somebody asks`(change: String, problem: String) async throws
  {
    let (fleet, _) = try await TestFleet.withBook()
    try fleet.run(change)
    var history = try await fleet.verifiedHistory()
    #expect(history.ok, "\(history.problems)")
    #expect(history.states == nil)
    history = try await fleet.verifiedHistory(states: true)
    #expect(history.problems == [problem])
  }

  /// Verifies that the states of all histories are what the events say.
  private func expectRight(
    _ fleet: TestFleet, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let verdict = try await fleet.verify(states: true)
    let problems = verdict.histories.flatMap(\.problems)
    #expect(verdict.ok, "\(problems)", sourceLocation: sourceLocation)
    #expect(
      verdict.histories.allSatisfy { $0.states == .compared }, "\(verdict)",
      sourceLocation: sourceLocation)
  }

  @Test func `states are those of each history and of an earlier head`() async throws {
    let (fleet, book) = try await TestFleet.withBook(options: ShipmentOptions(sendsPersonal: false))
    try await expectRight(fleet)
    let copy = try book.copied()
    try await book.grow(by: 40)
    try await book.append(.erasing(TestBook.bob))
    try await copy.append(.login(AccountID(high: 3, low: 3), user: "eve"))
    try await fleet.ship(book)
    try await fleet.ship(copy)
    try await expectRight(fleet)
    // A shipper that was interrupted has not sent later states yet.
    try fleet.run(
      """
      UPDATE gatebook.branch SET folded = 109 WHERE branch = 0
      """)
    let verdict = try await fleet.verify(states: true)
    #expect(verdict.histories.map(\.states) == [.compared, .compared])
    #expect(verdict.histories[0].problems.contains { $0.contains("account \(TestBook.bob)") })
    #expect(verdict.histories[1].ok)
  }

  @Test func `states of archived and of forgotten histories are computed from what is kept`()
    async throws
  {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 700)
    try book.putAway(try await book.archive())
    try await book.grow(by: 40)
    try await fleet.ship(book)
    try await expectRight(fleet)
    let other = try await TestFleet()
    let whole = try await TestBook.written(events: 300)
    try await other.ship(whole)
    try await other.forget(whole, before: 200)
    try await expectRight(other)
    try await whole.grow(by: 20)
    try await other.ship(whole)
    try await expectRight(other)
    try await other.forget(whole, before: 280)
    try await expectRight(other)
    try other.run("DELETE FROM gatebook.state WHERE part = 'session'")
    #expect(try await other.verifiedHistory(states: true).problems.count == 2)
  }

  @Test func `states that cannot be computed are said to be that`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    func states() async throws -> HistoryVerdict.States? {
      try await fleet.verifiedHistory(states: true).states
    }
    try fleet.run("UPDATE gatebook.branch SET folds = folds - 1")
    #expect(try await states() == .otherVersion)
    try fleet.run("UPDATE gatebook.branch SET folds = folds + 1")
    #expect(try await states() == .compared)
    try await book.grow(by: 200)
    try await fleet.ship(book)
    try await fleet.forget(book, before: 200)
    #expect(try await states() == .compared)
    // Another version of the program has forgotten the events.
    try fleet.run(
      """
      UPDATE gatebook.past SET content = convert_to(replace(convert_from(content, 'UTF8'),
        '"folds":\(BookFold.version)', '"folds":1'), 'UTF8') WHERE part = 'start.opening'
      """)
    #expect(try await states() == .otherVersion)
    try fleet.run("DELETE FROM gatebook.event WHERE position = 290")
    #expect(try await states() == .otherVersion)
    let (second, _) = try await TestFleet.withBook()
    try second.run("DELETE FROM gatebook.event WHERE position = 100")
    let missing = try await second.verifiedHistory(states: true)
    #expect(missing.states == .unknown)
    #expect(missing.problems.allSatisfy { !$0.contains("stored state") })
    try second.run(
      "DELETE FROM gatebook.state; UPDATE gatebook.branch SET folded = 0, accounts = 0, usable = 0")
    #expect(try await second.verifiedHistory(states: true).states == HistoryVerdict.States.none)
  }
}
