import CSQLite
import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet
@testable import GatebookStore

/// Histories that do not begin with the first event of their book.
@Suite struct VerifyHistoriesTests {
  @Test func `a copied book and its original are two histories`() async throws {
    let (fleet, book) = try await TestFleet.withBook()
    let copy = try book.copied()
    try await book.grow(by: 40)
    try await copy.grow(by: 30)
    try await fleet.ship(book)
    try await fleet.ship(copy)
    let again = try copy.copied()
    try await again.grow(by: 5)
    try await copy.grow(by: 3)
    try await fleet.ship(copy)
    try await fleet.ship(again)
    var verdict = try await fleet.verify()
    #expect(verdict.ok, "\(verdict)")
    #expect(verdict.histories.map(\.branch) == [0, 1, 2])
    #expect(verdict.histories.map(\.level) == [.signed, .signed, .signed])
    #expect(
      try verdict.histories.map(\.root) == [book, copy, again].map { try $0.reader().head().root })
    // A change before the copy is one of both; one after it is not.
    try fleet.run("UPDATE gatebook.event SET at = at + 1 WHERE branch = 1 AND position = 120")
    verdict = try await fleet.verify()
    #expect(verdict.histories.map { $0.firstBad?.rawValue } == [nil, 120, nil])
    #expect(try await fleet.verify(branch: 2).histories.map(\.branch) == [2])
    try fleet.rewrite(50)
    verdict = try await fleet.verify()
    #expect(verdict.histories.map(\.ok) == [false, false, false])
    try fleet.run("UPDATE gatebook.branch SET parent = 7 WHERE branch = 2")
    verdict = try await fleet.verify()
    #expect(verdict.histories[2].problems.first?.hasPrefix("The row of the history") == true)
  }

  // MARK: Archives

  private static func archived() async throws -> (fleet: TestFleet, book: TestBook) {
    let fleet = try await TestFleet()
    let book = try await TestBook.written(events: 700)
    try book.putAway(try await book.archive())
    try await book.grow(by: 40)
    return (fleet, book)
  }

  @Test func `a book whose archive is not at hand begins after it`() async throws {
    let (fleet, book) = try await Self.archived()
    try await fleet.ship(book)
    let history = try await fleet.verifiedHistory()
    #expect(history.ok, "\(history.problems)")
    #expect(history.level == .signed)
    #expect(history.events < history.size)
    #expect(try history.root == book.reader().head().root)
    #expect(history.unproven == 0)
  }

  @Test func `an archive and the book that follows it are one history`() async throws {
    let (fleet, book) = try await Self.archived()
    let past = BookShipment(
      of: book.folder.file("past.book.away"), key: book.key, to: try fleet.access())
    _ = try await past.ship()
    try await fleet.ship(book)
    var history = try await fleet.verifiedHistory(states: true)
    #expect(history.ok, "\(history.problems)")
    #expect(history.states == .compared)
    #expect(history.events == history.size)
    #expect(try history.root == book.reader().head().root)
    try fleet.rewrite(300)
    history = try await fleet.verifiedHistory()
    #expect(
      history.problems.contains { $0.contains("are not those that the book continued from") },
      "\(history.problems)")
  }

  /// Statements, and how the problem begins that they make.
  static let changes: [(String, String)] = [
    ("UPDATE gatebook.past SET content = '{}' WHERE part = 'roster'", "The state that the book"),
    ("DELETE FROM gatebook.past WHERE part = 'stream'", "The state that the book continues from"),
    ("DELETE FROM gatebook.past WHERE part = 'opening'", "The record of where the history begins"),
    ("DELETE FROM gatebook.past", "The record of where the history begins"),
    ("DELETE FROM gatebook.past WHERE part = 'subtree'", "The stored subtrees do not belong"),
    (
      "UPDATE gatebook.past SET content = set_byte(content, 5, 255 - get_byte(content, 5)) "
        + "WHERE part = 'subtree'", "The stored subtrees do not belong"
    ),
    (
      "UPDATE gatebook.past SET content = content || 'x' WHERE part = 'opening_event'",
      "The event at position"
    ),
    ("UPDATE gatebook.branch SET floor = floor - 1", "The record of where the history begins"),
    (
      "UPDATE gatebook.past SET content = convert_to(regexp_replace(convert_from(content, 'UTF8'), "
        + "'\"root\":\"[0-9a-f]{4}', '\"root\":\"0000'), 'UTF8') WHERE part = 'opening'",
      "The tree that the book continues from does not match its root."
    ),
    (
      "UPDATE gatebook.event SET data = replace(data, '\"from\":', '\"form\":') "
        + "WHERE kind = 'book.continued'", "The event at position 710 does not record"
    ),
  ]

  /// A fleet whose rows are put back after each change.
  private static let changed = Task { () async throws -> ChangedFleet in
    let (fleet, book) = try await archived()
    try await fleet.ship(book)
    return try ChangedFleet(fleet, book)
  }

  @Test(.serialized, arguments: changes) func `a changed beginning is found`(
    change: (sql: String, problem: String)
  ) async throws {
    let history = try await Self.changed.value.changed(by: change.sql) {
      try await $0.verifiedHistory()
    }
    #expect(history.problems.contains { $0.hasPrefix(change.problem) }, "\(history.problems)")
  }

  // MARK: Recoveries

  /// A book that lost two events, and was recovered.
  private static func recovered(hasTree: Bool) async throws -> TestBook {
    let damaged = try await TestBook.written(events: 700)
    let connection = try Connection.open(damaged.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position IN (300, 301)")
    if !hasTree {
      try connection.execute("DELETE FROM subtree")
      try connection.execute("DELETE FROM head")
    }
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let book = try TestBook()
    _ = try await BookRecovery(path: damaged.path, program: TestBook.program).recover(to: book.path)
    let key = try damaged.copied()
    try book.takeKey(of: key)
    book.clock.set(damaged.clock.now())
    try await book.grow(by: 40)
    return book
  }

  @Test(arguments: [true, false])
  func `a recovered book is whole except for its lost events`(
    hasTree: Bool
  ) async throws {
    let fleet = try await TestFleet()
    let book = try await Self.recovered(hasTree: hasTree)
    try await fleet.ship(book)
    var history = try await fleet.verifiedHistory(states: true)
    #expect(history.ok, "\(history.problems)")
    #expect(history.states == .compared)
    #expect(history.lost == [Position(rawValue: 300)...Position(rawValue: 301)])
    #expect(history.level == .signed)
    #expect(try history.root == book.reader().head().root)
    // The recovery named what it kept.
    #expect(history.unproven == 0)
    try fleet.rewrite(500)
    history = try await fleet.verifiedHistory()
    #expect(history.problems.contains { $0.hasPrefix("The events that the recovery") })
    try fleet.run("DELETE FROM gatebook.event WHERE position = 400")
    history = try await fleet.verifiedHistory()
    #expect(history.problems.contains("The event at position 400 is missing."))
  }

  @Test func `a book that was shipped, damaged and recovered is one history`() async throws {
    let fleet = try await TestFleet()
    let damaged = try await TestBook.written(events: 700)
    try await fleet.ship(damaged)
    let kept = try await fleet.verify().heads()
    try await damaged.grow(by: 100)
    let connection = try Connection.open(damaged.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position IN (300, 301, 750)")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let book = try TestBook()
    _ = try await BookRecovery(path: damaged.path, program: TestBook.program).recover(to: book.path)
    try book.takeKey(of: damaged)
    book.clock.set(damaged.clock.now())
    try await book.grow(by: 40)
    try await fleet.ship(book)
    let verdict = try await fleet.verify(against: kept, states: true)
    #expect(verdict.ok, "\(verdict)")
    let history = try #require(verdict.histories.last)
    #expect(history.states == .compared)
    #expect(history.lost == [Position(rawValue: 750)...Position(rawValue: 750)])
    #expect(history.level == .signed)
    // The fleet has two events that the recovery did not find, so what it kept cannot be compared.
    #expect(history.unproven > 0 && history.unproven <= 101)
  }
}

extension TestBook {
  /// Puts the key file of another copy beside the book.
  fileprivate func takeKey(of other: TestBook) throws {
    let bytes = try #require(Files.content(of: other.keyPath))
    let file = try #require(OpenFile.open(keyPath, .new))
    #expect(file.write(bytes))
  }
}
