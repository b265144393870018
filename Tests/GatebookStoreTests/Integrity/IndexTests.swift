import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct IndexTests {
  /// What an index would hold instead of the truth, and how the table comes to say the truth again.
  private static let lies: [(index: String, lie: String, truth: String)] = [
    (
      "event_id", "UPDATE event SET id = zeroblob(16) WHERE position = 9",
      "UPDATE event SET id = (SELECT id FROM kept) WHERE position = 9"
    ),
    (
      "event_stream", "UPDATE event SET revision = revision + 100 WHERE position = 31",
      "UPDATE event SET revision = revision - 100 WHERE position = 31"
    ),
    (
      "event_stream", "UPDATE event SET account = account + 100 WHERE position = 31",
      "UPDATE event SET account = account - 100 WHERE position = 31"
    ),
    ("event_id", "DELETE FROM event WHERE position = 9", "INSERT INTO event SELECT * FROM kept"),
    (
      "event_stream", "DELETE FROM event WHERE position = 9", "INSERT INTO event SELECT * FROM kept"
    ),
  ]

  @Test(arguments: 0..<lies.count)
  func `an entry that is not the row's is found`(index: Int) async throws {
    let (name, lie, truth) = Self.lies[index]
    let book = try await TestBook.written()
    try book.tamper("CREATE TABLE kept AS SELECT * FROM event WHERE position = 9", lie)
    // Without its row in the schema SQLite does not know the index, and leaves it as it is.
    try book.tamper(
      "PRAGMA writable_schema = ON",
      "CREATE TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = '\(name)'",
      "DELETE FROM sqlite_schema WHERE name = '\(name)'")
    try book.tamper(
      truth, "PRAGMA writable_schema = ON", "INSERT INTO sqlite_schema SELECT * FROM hidden",
      "DROP TABLE hidden", "DROP TABLE kept")
    let verdict = try await book.verify()
    #expect(!verdict.ok)
    #expect(verdict.firstBad == nil, "the events themselves are as they were")
  }

  @Test func `the sum of entries does not depend on their order, but on each of them`() {
    var forwards = EntrySum()
    var backwards = EntrySum()
    for number in 1...100 as ClosedRange<Int64> {
      forwards.add(1, UInt64(number), at: number)
      backwards.add(1, UInt64(101 - number), at: 101 - number)
    }
    #expect(forwards == backwards)
    backwards.add(1, 7, at: 8)
    #expect(forwards != backwards)
    forwards.add(1, 8, at: 7)
    #expect(forwards != backwards)
  }
}
