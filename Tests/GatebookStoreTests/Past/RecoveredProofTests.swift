import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// What still proves the events of a recovered book.
@Suite struct RecoveredProofTests {
  /// A recovered book of 900 events without the one at 300, and checkpoints of before.
  private func recovered(
    rewriting rewritten: Int64? = nil, losing lost: Int64? = nil
  ) async throws -> (book: TestBook, recovery: Recovery, mid: String, end: String) {
    let book = try await RollupBook.make(events: 370)
    let mid = try book.reader().checkpoint()
    let store = try await book.open()
    try await RollupBook.fill(store, from: 370, upTo: 900, seed: 3)
    await store.close()
    let end = try book.reader().checkpoint()
    if let rewritten { try Self.rewrite(rewritten, book.path) }
    if lost != nil || rewritten == nil {
      try book.tamper("DELETE FROM event WHERE position = \(lost ?? 300)")
    }
    // So that the tree cannot be continued.
    if lost != nil { try book.tamper("DELETE FROM subtree", "DELETE FROM head") }
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    return (book, recovery, mid, end)
  }

  /// Changes an event as somebody does who computes its leaf, too.
  private static func rewrite(_ position: Int64, _ path: String) throws {
    let connection = try Connection.open(path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute("UPDATE event SET at = at - 3600000000 WHERE position = \(position)")
    try sign(position, path)
  }

  /// Computes an event's leaf again.
  private static func sign(_ position: Int64, _ path: String) throws {
    let connection = try Connection.open(path, flags: SQLITE_OPEN_READWRITE)
    try connection.sign(position)
    try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  @Test func `a checkpoint that ends beside a lost event is no false alarm`() async throws {
    let (book, recovery, mid, end) = try await recovered()
    #expect(recovery.isProven)
    let path = recovery.path
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await BookVerifier(path: path).verify(against: mid)
    }
    let verdict = try await BookVerifier(path: path).verify(against: end)
    #expect(verdict.ok, "\(verdict.problems)")
    let uncovered = try #require(verdict.continuation).uncovered.map {
      $0.lowerBound.rawValue...$0.upperBound.rawValue
    }
    #expect(uncovered == [257...299, 301...512])
    withExtendedLifetime(book) {}
  }

  @Test func `an event beside a lost one cannot be rewritten after the recovery`() async throws {
    let (book, recovery, _, end) = try await recovered()
    try Self.rewrite(302, recovery.path)
    for note in [nil, end] {
      let verdict = try await BookVerifier(path: recovery.path).verify(against: note)
      #expect(!verdict.ok)
      #expect(verdict.problems.contains { $0.contains("not the ones that it kept") })
    }
    withExtendedLifetime(book) {}
  }

  @Test func `nothing more can be lost after the recovery`() async throws {
    let (book, recovery, _, _) = try await recovered()
    let connection = try Connection.open(recovery.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position BETWEEN 301 AND 310")
    try connection.execute("INSERT INTO lost VALUES (301, 310)")
    let verdict = try await BookVerifier(path: recovery.path).verify()
    #expect(
      verdict.problems.contains { $0.contains("the recovery lost 1") }, "\(verdict.problems)")
    withExtendedLifetime(book) {}
  }

  @Test(arguments: [
    "(9223372036854775807, 9223372036854775807)", "(671, 9223372036854775807)",
    "(-9223372036854775808, 9223372036854775807)", "(1, 9223372036854775807)", "(299, 301)",
  ])
  func `what says which events are lost cannot be anything`(_ row: String) async throws {
    let (book, recovery, _, _) = try await recovered()
    let connection = try Connection.open(recovery.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("INSERT INTO lost VALUES \(row)")
    let verdict = try await BookVerifier(path: recovery.path).verify()
    #expect(!verdict.ok)
    let again = try await BookRecovery(path: recovery.path, program: TestBook.program)
      .recover(to: book.folder.file("again.book"))
    #expect(again.lost == recovery.lost)
    #expect(again.rewritten.isEmpty)
  }

  @Test func `a rewrite beside a lost event is reported by the next recovery`() async throws {
    let (book, recovery, _, _) = try await recovered()
    try Self.rewrite(302, recovery.path)
    let again = try await BookRecovery(path: recovery.path, program: TestBook.program)
      .recover(to: book.folder.file("again.book"))
    #expect(
      again.rewritten.map { $0.lowerBound.rawValue...$0.upperBound.rawValue }
        == [257...299, 301...512])
    #expect(!again.isWhole)
  }

  @Test func `a recovery that recorded nothing of what it kept binds nothing`() async throws {
    let (book, recovery, _, _) = try await recovered()
    #expect(try BookReader.open(at: recovery.path).continuation()?.isBound == true)
    let connection = try Connection.open(recovery.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute(
      "UPDATE event SET data = json_remove(data, '$.kept') WHERE position = 901")
    #expect(try BookReader.open(at: recovery.path).continuation()?.isBound == false)
    withExtendedLifetime(book) {}
  }

  @Test(arguments: [
    "UPDATE head SET size = 1 << 40, frontier = root",
    """
    DROP TRIGGER event_is_never_updated;
    UPDATE event SET position = 1 << 40 WHERE position = 900
    """,
  ])
  func `no size makes a recovery run forever`(_ change: String) async throws {
    let book = try await RollupBook.make(events: 900)
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(change)
    if change.contains("event") { try Self.sign(1 << 40, book.path) }
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    #expect(recovery.size == 900)
    #expect(recovery.kept == (change.contains("event") ? 899 : 900))
  }

  @Test(arguments: [
    (event: 800, run: 769...900, hasRow: false), (event: 302, run: 1...900, hasRow: true),
  ])
  func `the end of the tree shows events that no run contains`(
    _ change: (event: Int64, run: ClosedRange<Int64>, hasRow: Bool)
  ) async throws {
    let book = try await RollupBook.make(events: 900)
    try Self.rewrite(change.event, book.path)
    if change.hasRow {
      let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
      let hash = SHA256()
      var tree = Frontier()
      let rows = try connection.statement(
        "SELECT leaf FROM event WHERE position BETWEEN 257 AND 512 ORDER BY position")
      while try rows.step() { tree.append(try #require(Digest(bytes: rows.raw(0))), hash) { _ in } }
      rows.reset()
      let update = try connection.statement(
        "UPDATE subtree SET root = ?1 WHERE level = 8 AND number = 1")
      update.bind(1, tree.root(hash).bytes)
      try update.run()
    }
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    #expect(
      recovery.rewritten.map { $0.lowerBound.rawValue...$0.upperBound.rawValue } == [change.run])
    #expect(!recovery.isProven && !recovery.isWhole && recovery.lost.isEmpty)
  }

  @Test func `a rewritten run is not proven where the head is lost`()
    async throws
  {
    let book = try await RollupBook.make(events: 900)
    try Self.rewrite(302, book.path)
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DELETE FROM head")
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    #expect(!recovery.isProven && recovery.rewritten.map(\.lowerBound.rawValue) == [257])
  }

  @Test(arguments: [303, 600, 902])
  func `a book whose tree was begun again can be recovered again`(_ lost: Int64) async throws {
    let (book, recovery, _, _) = try await recovered(rewriting: 302, losing: 300)
    #expect(!recovery.isProven)
    let store = try await EventStore.open(
      at: recovery.path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    try await RollupBook.fill(store, from: 900, upTo: 910, seed: 5)
    await store.close()
    let connection = try Connection.open(recovery.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position = \(lost)")
    let again = try await BookRecovery(path: recovery.path, program: TestBook.program)
      .recover(to: book.folder.file("again.book"))
    #expect(again.lost.map(\.lowerBound.rawValue) == [300, lost])
    #expect(try await BookVerifier(path: again.path).verify().ok)
  }

  @Test func `a rewritten run is reported by each later recovery`()
    async throws
  {
    let (book, recovery, _, _) = try await recovered(rewriting: 302)
    #expect(recovery.rewritten.map(\.lowerBound.rawValue) == [257])
    #expect(!recovery.isProven && !recovery.isWhole)
    let again = try await BookRecovery(path: recovery.path, program: TestBook.program)
      .recover(to: book.folder.file("again.book"))
    for path in [recovery.path, again.path] {
      let verdict = try await BookVerifier(path: path).verify()
      let past = try #require(verdict.continuation)
      #expect(verdict.ok && past.hasEnd && past.hasBeginning)
      #expect(past.suspect.map { $0.lowerBound.rawValue...$0.upperBound.rawValue } == [257...512])
    }
    #expect(again.rewritten == recovery.rewritten)
  }

  @Test func `the recovered book reports an unknown end`() async throws {
    let book = try await RollupBook.make(events: 900)
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DELETE FROM head")
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    let past = try #require(try BookReader.open(at: recovery.path).continuation())
    #expect(!recovery.hasEnd && !past.hasEnd && past.hasBeginning && past.suspect.isEmpty)
  }

  @Test(arguments: [
    (events: 200, lost: [50], level: Verdict.Level.itself),
    (events: 300, lost: [50], level: .checkpoint), (events: 300, lost: [290], level: .checkpoint),
    (events: 300, lost: [50, 290], level: .itself), (events: 300, lost: [], level: .checkpoint),
  ])
  func `a checkpoint that covers nothing of what is left proves nothing`(
    _ change: (events: Int, lost: [Int64], level: Verdict.Level)
  ) async throws {
    let book = try await RollupBook.make(events: change.events)
    let note = try book.reader().checkpoint()
    for position in change.lost {
      try book.tamper("DELETE FROM event WHERE position = \(position)")
    }
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    #expect(recovery.isProven)
    let verdict = try await BookVerifier(path: recovery.path).verify(against: note)
    #expect(verdict.level == change.level, "\(verdict)")
    #expect(verdict.isWhollyCovered == change.lost.isEmpty)
    // What was compared with nothing must not look as if all was well.
    #expect(verdict.isUncovered == (change.level == .itself) && verdict.ok != verdict.isUncovered)
    #expect(verdict.covered == (verdict.isUncovered ? nil : Int64(change.events)), "\(verdict)")
    let since = try BookReader.open(at: recovery.path, key: book.key).checkpoint()
    let later = try await BookVerifier(path: recovery.path).verify(against: since)
    #expect(later.ok && later.level == .checkpoint && later.isWhollyCovered)
  }

  @Test func `runs without number are recorded as few`() {
    var event = BookRecovered()
    event.suspect((0..<100).map { $0 * 512 + 1...$0 * 512 + 256 })
    #expect(event.suspect.count == 64)
    #expect(event.suspect.first == 1...256 && event.suspect.last?.upperBound == 99 * 512 + 256)
    let facts = event.facts
    #expect(facts["suspect"]?.list?.count == 64 && facts["kept"] == nil)
    #expect(facts["suspect"]?.list?.first == .list([.integer(1), .integer(256)]))
  }

  @Test func `a recovery whose own event is lost leaves a doubt`() async throws {
    let (book, recovery, _, _) = try await recovered()
    let connection = try Connection.open(recovery.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_deleted")
    try connection.execute("DELETE FROM event WHERE position = 901")
    let again = try await BookRecovery(path: recovery.path, program: TestBook.program)
      .recover(to: book.folder.file("again.book"))
    let past = try #require(try BookReader.open(at: again.path).continuation())
    #expect(past.hasRecordedDoubts && !past.hasBeginning)
  }

  @Test func `a checkpoint of lost events proves nothing after an archive either`()
    async throws
  {
    let book = try await RollupBook.make(events: 200)
    let note = try book.reader().checkpoint()
    try book.tamper("DELETE FROM event WHERE position = 50")
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    let store = try await EventStore.open(
      at: recovery.path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    let archive = book.folder.file("archive.book")
    _ = try await store.archive(to: archive) { _, _ in }
    await store.close()
    let verdict = try await BookVerifier(path: recovery.path).verify(
      against: note, archive: archive)
    #expect(!verdict.ok && verdict.isUncovered && !verdict.isWhollyCovered, "\(verdict)")
  }
}
