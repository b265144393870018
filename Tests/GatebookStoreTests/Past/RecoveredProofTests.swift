import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// What still proves the events of a recovered book.
@Suite struct RecoveredProofTests {
  /// A recovered book of 900 events without the one at 300, and checkpoints of before.
  private func recovered(
    rewriting rewritten: Int64? = nil
  ) async throws -> (book: TestBook, recovery: Recovery, mid: String, end: String) {
    let book = try await RollupBook.make(events: 370)
    let mid = try book.reader().checkpoint()
    let store = try await book.open()
    try await RollupBook.fill(store, from: 370, upTo: 900, seed: 3)
    await store.close()
    let end = try book.reader().checkpoint()
    if let rewritten {
      try Self.rewrite(rewritten, book.path)
    } else {
      try book.tamper("DELETE FROM event WHERE position = 300")
    }
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    return (book, recovery, mid, end)
  }

  /// Changes an event as somebody does who computes its leaf, too.
  private static func rewrite(_ position: Int64, _ path: String) throws {
    let connection = try Connection.open(path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute("UPDATE event SET at = at - 3600000000 WHERE position = \(position)")
    let row = try connection.statement(
      "SELECT \(CanonicalNames.columns) FROM event WHERE position = \(position)")
    #expect(try row.step())
    var leaves = EventLeaves(connection)
    let found = try leaves.leaf(of: row)
    row.reset()
    let leaf = try #require(found)
    let update = try connection.statement("UPDATE event SET leaf = ?1 WHERE position = ?2")
    update.bind(1, leaf.bytes)
    update.bind(2, position)
    try update.run()
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
      #expect(verdict.problems.contains { $0.contains("not those that it kept") })
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

  @Test func `a run that was rewritten before the recovery is told`() async throws {
    let (book, recovery, _, _) = try await recovered(rewriting: 302)
    #expect(recovery.rewritten.map(\.lowerBound.rawValue) == [257])
    #expect(!recovery.isProven && !recovery.isWhole)
    withExtendedLifetime(book) {}
  }
}
