import CSQLite
import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

/// A verification compares the summaries of blocks, by which events are found, with the events.
@Suite struct BlockCheckTests {
  private static let lies = [
    "UPDATE block SET kinds = 0 WHERE number = 1",
    "UPDATE block SET kinds = -1 WHERE number = 1",
    "UPDATE block SET earliest = earliest + 1 WHERE number = 1",
    "UPDATE block SET latest = earliest - 1 WHERE number = 1",
    "DELETE FROM block WHERE number = 1",
  ]

  @Test(arguments: lies)
  func `a summary that hides events is reported, and the log is not blamed for it`(
    _ lie: String
  ) async throws {
    let book = try await RollupBook.make(events: 900)
    try book.tamper(lie, keepingTriggers: true)
    let verdict = try await book.verify()
    #expect(verdict.problems == ["The summary of events 257 to 512 differs from them."])
    #expect(verdict.isLogWhole)
    #expect(verdict.agreesWithRoot)
    #expect(verdict.firstBad == nil)
    let store = try await book.open()
    _ = try await store.rebuild(from: try book.sealedReader().foldLog())
    await store.close()
    #expect(try await book.verify().ok)
  }

  @Test(arguments: ["VALUES (8, 90, 1, 2, 3)", "VALUES (16, 0, 1, 2, 3)"])
  func `a summary of missing events is reported: it hides the end of the log`(
    _ row: String
  ) async throws {
    let book = try await RollupBook.make(events: 900)
    try book.tamper("INSERT INTO block \(row)", keepingTriggers: true)
    let verdict = try await book.verify()
    #expect(
      verdict.problems == [
        "There are indexes of events that are not in the log: its end may have been cut off."
      ])
    #expect(verdict.isLogWhole)
  }

  @Test(arguments: [
    "DELETE FROM block WHERE number = 2", "DELETE FROM block",
    "UPDATE block SET kinds = 0; UPDATE head SET folds = folds - 1",
    "INSERT INTO block VALUES (8, 90, 1, 2, 3); UPDATE head SET folds = 0",
  ])
  func `what no summary speaks of is read, and one that nobody believes hides nothing`(
    _ change: String
  ) async throws {
    let book = try await RollupBook.make(events: 900)
    var filter = EventFilter()
    filter.failedOnly = true
    let failed = try book.sealedReader().events(filter)
    try book.tamper(change, keepingTriggers: true)
    #expect(try book.sealedReader().events(filter) == failed)
    #expect(try await book.verify().ok)
  }

  @Test func `where an event was changed its summary is not told besides`() async throws {
    let book = try await RollupBook.make(events: 600)
    try book.tamper("UPDATE event SET kind = kind % 7 + 1, at = 1 WHERE position = 300")
    let verdict = try await book.verify()
    #expect(!verdict.isLogWhole)
    #expect(verdict.firstBad == Position(rawValue: 300))
    #expect(!verdict.problems.contains { $0.contains("summary") }, "\(verdict.problems)")
  }

  @Test func `summaries that are gone with their table are no damage of events`() async throws {
    let book = try await RollupBook.make(events: 600)
    try book.tamper("DROP TABLE block", keepingTriggers: true)
    let verdict = try await book.verify()
    #expect(!verdict.ok)
    #expect(!verdict.isLogWhole)
    #expect(verdict.firstBad == nil)
  }

  @Test func `a book after an archive is compared from its first own event on`() async throws {
    let book = try await RollupBook.make(events: 333)
    let store = try await book.open()
    let path = book.folder.file("past.book")
    _ = try await store.archive(to: path) { _, _ in }
    try await RollupBook.fill(store, from: 334, upTo: 900, seed: 4)
    await store.close()
    #expect(try await book.verify().ok)
    try book.tamper("UPDATE block SET kinds = 0", keepingTriggers: true)
    #expect(
      try await book.verify().problems
        == ["257 to 512", "513 to 768"].map { "The summary of events \($0) differs from them." })
  }

  @Test func `a recovered book has right summaries, and continues with them`() async throws {
    let book = try await RollupBook.make(events: 600)
    try book.tamper("DELETE FROM event WHERE position = 300")
    let path = book.folder.file("new.book")
    _ = try await BookRecovery(path: book.path, program: TestBook.program).recover(to: path)
    let store = try await EventStore.open(
      at: path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(30))
    try await RollupBook.fill(store, from: 601, upTo: 1100, seed: 4)
    await store.close()
    let verdict = try await BookVerifier(path: path).verify()
    #expect(verdict.ok, "\(verdict.problems)")
  }

  @Test func `no copy is made that would keep wrong summaries, and it is said what helps`()
    async throws
  {
    let book = try await RollupBook.make(events: 600)
    try book.tamper("UPDATE block SET kinds = 0", keepingTriggers: true)
    let store = try await book.open()
    let backup = await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try await store.backUp(
        to: book.folder.file("copy"), replacing: false, random: SystemRandom()
      ) { _, _ in }
    }
    let archive = await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try await store.archive(to: book.folder.file("past")) { _, _ in }
    }
    for error in [backup, archive] {
      #expect(error?.remedy.contains("`SessionBook.rebuild(_:)`") == true)
    }
    _ = try await store.rebuild(from: FoldedLog())
    _ = try await store.archive(to: book.folder.file("past")) { _, _ in }
    await store.close()
  }

  @Test func `an archive with wrong summaries is whole: no second book is made of it`() async throws
  {
    let book = try await RollupBook.make(events: 600)
    let store = try await book.open()
    let path = book.folder.file("past.book")
    _ = try await store.archive(to: path) { _, _ in }
    await store.close()
    #expect(chmod(path, 0o600) == 0)
    let archive = try Connection.open(path, flags: SQLITE_OPEN_READWRITE)
    try archive.execute("UPDATE block SET kinds = 0")
    let verdict = try await BookVerifier(path: book.path).verify(archive: path)
    #expect(verdict.isArchiveAtFault)
    #expect(
      verdict.problems.first == "The archive: The summary of events 1 to 256 differs from them.")
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await BookRecovery(path: path, program: TestBook.program)
        .recover(to: book.folder.file("new.book"))
    }
  }
}
