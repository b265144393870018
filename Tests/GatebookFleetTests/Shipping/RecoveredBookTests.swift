import CSQLite
import Gatebook
import GatebookSystem
import GatebookTestSupport
import Testing

@testable import GatebookFleet
@testable import GatebookStore

struct RecoveredBookTests {
  /// A book that has lost some of its events, and what was recovered of it.
  private func recovered(
    _ book: TestBook, losing positions: ClosedRange<Int64>
  ) async throws -> (book: TestBook, lost: [ClosedRange<Position>]) {
    // Changed events, for a deleted row can be found in the page that it was in.
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute(
      "UPDATE event SET at = at + 1 "
        + "WHERE position BETWEEN \(positions.lowerBound) AND \(positions.upperBound)")
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = try TestBook()
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: copy.path)
    let key = try #require(OpenFile.open(copy.keyPath, .new))
    #expect(key.write(try #require(Files.content(of: book.keyPath))))
    copy.clock.set(book.clock.now())
    return (copy, recovery.lost)
  }

  private static let lost: [ClosedRange<Position>] = [
    Position(rawValue: 50)...Position(rawValue: 60)
  ]

  @Test func `a recovered book ships its lost ranges`() async throws {
    let fleet = try await TestFleet()
    let (book, lost) = try await recovered(try await TestBook.written(), losing: 50...60)
    #expect(lost == Self.lost)
    let report = try await fleet.ship(book)
    #expect(report.size == 310)
    #expect(report.events == 310)
    #expect(
      try fleet.rows("SELECT lost, size FROM gatebook.branch") == ["(\"{[50,61)}\",310)"])
    #expect(try fleet.value("SELECT count(*) FROM gatebook.event") == "299")
    try fleet.expectHas(book)
    try await book.grow(by: 40)
    try await fleet.ship(book)
    try fleet.expectHas(book)
    #expect(try fleet.rows("SELECT code FROM gatebook.notice").isEmpty)
  }

  @Test func `what a recovery lost is still in a fleet that had it`() async throws {
    let fleet = try await TestFleet()
    let damaged = try await TestBook.written()
    try await fleet.ship(damaged)
    let (book, lost) = try await recovered(damaged, losing: 50...60)
    #expect(lost == Self.lost)
    try await book.grow(by: 40)
    let report = try await fleet.ship(book)
    #expect(report.forkedAfter == nil)
    #expect(report.branch == 0)
    #expect(
      try fleet.rows("SELECT count(*), min(position), max(position) FROM gatebook.event") == [
        "(350,1,350)"
      ])
    #expect(try fleet.value("SELECT lost FROM gatebook.branch") == "{}")
    #expect(
      try fleet.value("SELECT encode(root, 'hex') FROM gatebook.branch")
        == book.reader().head().root)
  }

  @Test func `lost events at the end of a batch or of the book are no gap`() async throws {
    let fleet = try await TestFleet()
    let (book, lost) = try await recovered(
      try await TestBook.written(events: 5000), losing: 4090...4120)
    #expect(lost == [Position(rawValue: 4090)...Position(rawValue: 4120)])
    try await fleet.ship(book)
    try fleet.expectHas(book)
    let second = try await TestFleet()
    let (short, end) = try await recovered(try await TestBook.written(), losing: 300...309)
    #expect(end == [Position(rawValue: 300)...Position(rawValue: 309)])
    try await second.ship(short)
    try second.expectHas(short)
  }
}
