import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct RollupTests {
  @Test(arguments: [1, 7, 255, 256, 257, 511, 512, 513, 1300])
  func `counters say what a scan of the log says`(size: Int) async throws {
    let book = try await RollupBook.make(events: size, seed: UInt64(size))
    try expectTallies(book, "\(size) events")
    #expect(try RollupBook.rows(book).count { $0.hasPrefix("block") } == size / 256)
  }

  @Test func `blocks of 65,536 events are made of those of 256`() async throws {
    let book = try await RollupBook.make(events: 65_535)
    #expect(try upperBlocks(book) == 0)
    let store = try await book.open()
    try await RollupBook.fill(store, from: 65_535, upTo: 65_536, seed: 2)
    #expect(try upperBlocks(book) == 1)
    try await RollupBook.fill(store, from: 65_536, upTo: 65_900, seed: 3)
    await store.close()
    #expect(try upperBlocks(book) == 1)
    #expect(try book.sealedReader().checkProjections().problems == [])
    try expectTallies(book, "65,900 events")
    #expect(try await book.verify().ok)
    try expectAnswers(book, every: 9_000)
    try book.tamper("UPDATE head SET folds = \(BookFold.version)", keepingTriggers: true)
    for change in ["kinds = 0", "latest = latest + 1"] {
      try book.tamper("UPDATE block SET \(change) WHERE level = 16", keepingTriggers: true)
      #expect(
        try await book.verify().problems
          == ["The summary of events 1 to 65536 differs from them."])
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `the past is what a fold from the beginning makes of it, at every position`(
    seed: UInt64
  ) async throws {
    let book = try await RollupBook.make(events: 900, seed: seed)
    #expect(try RollupBook.rows(book).count { $0.hasPrefix("snapshot") } > 10)
    try expectAnswers(book, every: 1)
  }

  @Test(arguments: [1, 2] as [UInt64])
  func `rebuilt rows equal those that were written with the events`(
    seed: UInt64
  ) async throws {
    let book = try await RollupBook.make(events: 1100, seed: seed)
    let before = try RollupBook.rows(book)
    #expect(try book.sealedReader().checkProjections().problems == [])
    let store = try await book.open()
    _ = try await store.rebuild(from: FoldedLog())
    #expect(try RollupBook.rows(book) == before)
    _ = try await store.rebuild(from: try book.sealedReader().foldLog())
    #expect(try RollupBook.rows(book) == before)
    _ = try await store.rebuild(from: try book.sealedReader().foldLog(of: TestBook.ada))
    #expect(try RollupBook.rows(book) == before)
  }

  @Test func `two writers in turn count every event once`() async throws {
    var book = try TestBook()
    book.clock = StepClock(step: .seconds(700))
    let stores = [try await book.open(), try await book.open()]
    var size = 1
    for step in 0..<40 {
      try await RollupBook.fill(
        stores[step % 2], from: size, upTo: size + 33, seed: UInt64(step))
      size += 33
    }
    for store in stores { await store.close() }
    #expect(try book.sealedReader().checkProjections().problems == [])
    try expectTallies(book, "two writers")
  }

  @Test func `an append that was refused leaves no trace in the counters`() async throws {
    let book = try await RollupBook.make(events: 250)
    let store = try await book.open()
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(
        Append([ProposedEvent(.sessionVerified, account: AccountID(high: 9, low: 9))]))
    }
    try await RollupBook.fill(store, from: 250, upTo: 300, seed: 5)
    await store.close()
    #expect(try book.sealedReader().checkProjections().problems == [])
  }

  @Test func `a book without such rows is read all the same, and gets them when it is opened`()
    async throws
  {
    let book = try await RollupBook.make(events: 1100)
    let before = try RollupBook.rows(book)
    let answers = try answers(book, every: 37)
    for statement in RollupBook.older { try book.tamper(statement) }
    #expect(try self.answers(book, every: 37) == answers)
    #expect(try book.sealedReader().checkProjections().problems == [])
    let store = try await book.open()
    await store.close()
    // The event that says so comes after the last full block.
    #expect(try RollupBook.rows(book) == before)
    #expect(try book.sealedReader().checkProjections().problems == [])
    #expect(try book.sealedReader().hasRollups())
  }

  @Test func `what a crash left between the new tables and their rows is made up for`() async throws
  {
    let book = try await RollupBook.make(events: 1100)
    let before = try RollupBook.rows(book)
    let answers = try answers(book, every: 37)
    try book.tamper(
      "UPDATE head SET folds = 0", "DELETE FROM block", "DELETE FROM tally",
      "DELETE FROM snapshot")
    #expect(try !book.sealedReader().hasRollups())
    #expect(try self.answers(book, every: 37) == answers)
    await (try await book.open()).close()
    #expect(try RollupBook.rows(book) == before)
  }

  @Test func `blocks that an older writer did not count are counted with the next one`()
    async throws
  {
    let book = try await RollupBook.make(events: 700)
    try book.tamper("DELETE FROM block", "DELETE FROM tally")
    try expectTallies(book, "nothing counted")
    let store = try await book.open()
    try await RollupBook.fill(store, from: 700, upTo: 770, seed: 9)
    await store.close()
    #expect(try book.sealedReader().checkProjections().problems == [])
    try expectTallies(book, "counted late")
  }

  private static let damages = [
    "DELETE FROM block WHERE number = 1", "UPDATE block SET kinds = kinds + 1",
    "UPDATE block SET latest = latest - 1 WHERE number = 2",
    "INSERT INTO block VALUES (8, 90, 1, 2, 3)", "UPDATE tally SET events = events + 1",
    "DELETE FROM tally WHERE part = 1", "INSERT INTO tally VALUES (7, 7, 7, 7)",
    "DELETE FROM snapshot", "UPDATE snapshot SET state = substr(state, 2)",
    "INSERT INTO snapshot VALUES (1, 3, x'00')",
  ]

  @Test(arguments: damages)
  func `a row of the past that was changed is found, and a rebuild mends it`(
    change: String
  ) async throws {
    let book = try await RollupBook.make(events: 900)
    let before = try RollupBook.rows(book)
    try book.tamper(change, keepingTriggers: true)
    #expect(try RollupBook.rows(book) != before)
    #expect(try !book.sealedReader().checkProjections().ok)
    #expect(try await book.verify().isLogWhole)
    let store = try await book.open()
    _ = try await store.rebuild(from: try book.sealedReader().foldLog())
    #expect(try RollupBook.rows(book) == before)
    #expect(try book.sealedReader().checkProjections().ok)
    #expect(try await book.verify().ok)
  }

  @Test func `an index of snapshots that is not the rows' is found, and a rebuild mends it`()
    async throws
  {
    let book = try await RollupBook.make(events: 900)
    let before = try RollupBook.rows(book)
    try book.tamper(
      "UPDATE snapshot SET position = position + 1 WHERE rowid = 20", keepingTriggers: true)
    // Without its row in the schema SQLite does not know the index, and leaves it as it is.
    try book.tamper(
      "PRAGMA writable_schema = ON",
      "CREATE TABLE hidden AS SELECT * FROM sqlite_schema WHERE name = 'snapshot_of_account'",
      "DELETE FROM sqlite_schema WHERE name = 'snapshot_of_account'", keepingTriggers: true)
    try book.tamper(
      "UPDATE snapshot SET position = position - 1 WHERE rowid = 20",
      "PRAGMA writable_schema = ON", "INSERT INTO sqlite_schema SELECT * FROM hidden",
      "DROP TABLE hidden", keepingTriggers: true)
    #expect(try RollupBook.rows(book) == before)
    #expect(try !book.sealedReader().checkProjections().ok)
    let store = try await book.open()
    _ = try await store.rebuild(from: try book.sealedReader().foldLog())
    await store.close()
    #expect(try RollupBook.rows(book) == before)
    #expect(try book.sealedReader().checkProjections().problems == [])
  }

  @Test func `snapshots that are stored out of order are compared all the same`() async throws {
    let book = try await RollupBook.make(events: 900)
    try book.tamper(
      "CREATE TABLE moved AS SELECT * FROM snapshot WHERE rowid IN (3, 4, 30)",
      "DELETE FROM snapshot WHERE rowid IN (3, 4, 30)",
      "INSERT INTO snapshot SELECT * FROM moved", "DROP TABLE moved", keepingTriggers: true)
    #expect(try book.sealedReader().checkProjections().problems == [])
    try book.tamper(
      "UPDATE snapshot SET state = x'00' WHERE rowid = (SELECT max(rowid) FROM snapshot)",
      keepingTriggers: true)
    #expect(try book.sealedReader().checkProjections().problems.count == 1)
  }

  @Test func `snapshots of an older version are not compared, and are rebuilt`() async throws {
    let book = try await RollupBook.make(events: 900)
    let before = try RollupBook.rows(book)
    try book.tamper(
      "UPDATE head SET folds = folds - 1", "UPDATE snapshot SET state = x'00'",
      keepingTriggers: true)
    #expect(try book.sealedReader().checkProjections().ok)
    await (try await book.open()).close()
    #expect(try RollupBook.rows(book) == before)
  }

  @Test func `the snapshots of one account are compared and rebuilt alone`() async throws {
    let book = try await RollupBook.make(events: 900)
    let before = try RollupBook.rows(book)
    try book.tamper(
      "UPDATE snapshot SET state = x'00' WHERE account = 1", "DELETE FROM tally",
      keepingTriggers: true)
    let damaged = try RollupBook.rows(book)
    #expect(try !book.sealedReader().checkProjections(of: TestBook.ada).ok)
    #expect(try book.sealedReader().checkProjections(of: TestBook.bob).ok)
    let store = try await book.open()
    _ = try await store.rebuild(from: try book.sealedReader().foldLog(of: TestBook.ada))
    func snapshots(_ rows: [String]) -> [String] { rows.filter { $0.hasPrefix("snapshot") } }
    #expect(try snapshots(RollupBook.rows(book)) == snapshots(before))
    #expect(snapshots(damaged) != snapshots(before))
    #expect(try !book.sealedReader().checkProjections().ok)
  }
}
