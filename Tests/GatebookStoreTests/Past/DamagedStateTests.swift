import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// Recoveries of books whose states were changed, and not only their events.
@Suite struct DamagedStateTests {
  private func recovered(
    _ book: TestBook, withKey: Bool = true
  ) async throws -> (recovery: Recovery, reader: BookReader) {
    let path = book.folder.file("new.book")
    let recovery = try await BookRecovery(
      path: book.path, program: TestBook.program, key: withKey ? book.key : nil
    ).recover(to: path)
    return (recovery, try BookReader.open(at: path, key: book.key))
  }

  @Test(arguments: ["account", "session", "roster", "stream", "tally.book", "event"])
  func `one wrong character of what a book begins with takes no account away`(
    _ part: String
  ) async throws {
    let book = try await RollupBook.make(events: 600)
    var store = try await book.open()
    _ = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    try await RollupBook.fill(store, from: 601, upTo: 620, seed: 4)
    let before = try store.makeReader().accounts()
    await store.close()
    try book.tamper(
      """
      UPDATE opening_row SET state = '{"x' || substr(state, 4) WHERE part = '\(part)' AND
        name = (SELECT min(name) FROM opening_row WHERE part = '\(part)')
      """)
    let (recovery, reader) = try await recovered(book)
    #expect(try reader.accounts() == before)
    #expect(recovery.lost.isEmpty)
    #expect(recovery.stale.isEmpty)
    // Revisions continue where they were.
    store = try await EventStore.open(
      at: recovery.path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    try await RollupBook.fill(store, from: 8, upTo: 60, seed: 5)
    await store.close()
    let verdict = try await BookVerifier(path: recovery.path).verify()
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(try reader.checkProjections().ok)
  }

  @Test func `an account whose state is lost is reported, and no login leads to it`() async throws {
    let book = try await RollupBook.make(events: 600)
    let store = try await book.open()
    _ = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    await store.close()
    let ada = "x'\(Hex.encode(TestBook.ada.bytes))'"
    try book.tamper(
      "UPDATE opening_row SET state = '{\"x' || substr(state, 4) WHERE name = \(ada)",
      "UPDATE account_state SET state = '{\"x' || substr(state, 4) "
        + "WHERE account = (SELECT number FROM account WHERE id = \(ada))",
      "INSERT OR IGNORE INTO account_lookup "
        + "SELECT zeroblob(32), number FROM account WHERE id = \(ada)")
    let (recovery, reader) = try await recovered(book)
    #expect(recovery.withoutState == [TestBook.ada])
    #expect(recovery.accounts == 1 && !recovery.isWhole && !recovery.hasBeginning)
    #expect(!recovery.stale.contains(TestBook.ada))
    #expect(try reader.lookupHashes(of: TestBook.ada).isEmpty)
    #expect(try reader.checkProjections().ok)
  }

  @Test func `states are taken where the beginning of the log and its head are lost`() async throws
  {
    let book = try await RollupBook.make(events: 600)
    try book.tamper("DELETE FROM head", "UPDATE event SET at = at + 1 WHERE position < 300")
    let (recovery, reader) = try await recovered(book)
    #expect(recovery.withoutState.isEmpty)
    #expect(recovery.accounts == 2)
    #expect(recovery.stale.count == 2)
    #expect(try reader.accounts().count == 2)
  }

  @Test(arguments: [
    "UPDATE opening_row SET state = '{\"login.succeeded\":9223372036854775807}' "
      + "WHERE part LIKE 'tally%'",
    "UPDATE opening_row SET state = '{\"revision\":9223372036854775807}' WHERE part = 'stream'",
    "UPDATE account_state SET state = json_set(state, '$.revision', 9223372036854775807)",
  ])
  func `numbers that no book has are no numbers of one`(_ change: String) async throws {
    let book = try await RollupBook.make(events: 600)
    let store = try await book.open()
    _ = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    try await RollupBook.fill(store, from: 601, upTo: 620, seed: 4)
    await store.close()
    try book.tamper(change, "DELETE FROM event WHERE position = 615")
    let (recovery, reader) = try await recovered(book)
    #expect(!recovery.isWhole)
    #expect(try reader.accounts().count == 2)
    let again = try await EventStore.open(
      at: recovery.path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    try await RollupBook.fill(again, from: 8, upTo: 60, seed: 5)
    await again.close()
  }

  @Test func `counts that do not make their root are not taken`() async throws {
    let book = try await RollupBook.make(events: 600)
    let store = try await book.open()
    _ = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    await store.close()
    try book.tamper(
      "UPDATE opening_row SET state = json_set(state, '$.\"login.succeeded\"', 4000) "
        + "WHERE part = 'tally.book'")
    let (recovery, _) = try await recovered(book)
    #expect(!recovery.hasBeginning && !recovery.isWhole)
    let counted = try ReaderConnection.open(BookFile(path: recovery.path))
      .integer("SELECT coalesce(max(events), 0) FROM tally")
    #expect(counted == 1, "Of each kind one event stands behind the archive.")
  }

  @Test(arguments: [
    "UPDATE subtree SET root = zeroblob(32) WHERE number = 0",
    "DELETE FROM subtree WHERE number = 1",
  ])
  func `a damaged root of what is in the archive costs no book`(_ change: String) async throws {
    let book = try await RollupBook.make(events: 600)
    var store = try await book.open()
    let past = book.folder.file("past.book")
    _ = try await store.archive(to: past) { _, _ in }
    try await RollupBook.fill(store, from: 601, upTo: 900, seed: 4)
    let size = try store.makeReader().head().size
    await store.close()
    try book.tamper(change)
    let (recovery, reader) = try await recovered(book)
    #expect(recovery.kept == size && recovery.lost.isEmpty)
    #expect(!recovery.isProven)
    let verdict = try await BookVerifier(path: recovery.path).verify(archive: past)
    #expect(verdict.ok, "\(verdict.problems)")
    let proof = try reader.proof(of: Position(rawValue: size + 1))
    #expect(try InclusionProof(text: proof).size == size + 1)
    store = try await EventStore.open(
      at: recovery.path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    try await RollupBook.fill(store, from: 8, upTo: 400, seed: 5)
    await store.close()
    #expect(try await BookVerifier(path: recovery.path).verify().ok)
  }

  @Test func `a loss in the run of an archive's end leaves the tree as it was`() async throws {
    let book = try await RollupBook.make(events: 70)
    let store = try await book.open()
    let past = book.folder.file("past.book")
    _ = try await store.archive(to: past) { _, _ in }
    try await RollupBook.fill(store, from: 71, upTo: 100, seed: 4)
    await store.close()
    let end = try book.reader().checkpoint()
    try book.tamper("DELETE FROM event WHERE position = 85")
    let (recovery, _) = try await recovered(book)
    #expect(recovery.isProven && recovery.lost.count == 1)
    let verdict = try await BookVerifier(path: recovery.path).verify(against: end, archive: past)
    // The tree is the checkpoint's; which of the events are left that it was made of nothing shows.
    #expect(verdict.agreesWithRoot && verdict.isUncovered, "\(verdict.problems)")
  }

  @Test func `a book that was never recovered has lost nothing`() async throws {
    let book = try await RollupBook.make(events: 600)
    let store = try await book.open()
    _ = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    await store.close()
    try book.tamper("INSERT INTO lost VALUES (300, 301)")
    #expect(try await !BookVerifier(path: book.path).verify().ok)
  }

  @Test func `one wrong digit of a session's state costs no book`() async throws {
    let book = try await RollupBook.make(events: 600)
    let before = try book.reader().accounts()
    try book.tamper(
      "UPDATE session_state SET state = substr(state, 1, 20) || '7' || substr(state, 22)",
      "UPDATE roster SET state = substr(state, 1, 20) || '7' || substr(state, 22)",
      "UPDATE event SET at = at + 1 WHERE position = 77")
    let (recovery, reader) = try await recovered(book)
    #expect(recovery.kept == recovery.size - 1)
    #expect(try reader.accounts().map(\.state) == before.map(\.state))
    #expect(try reader.checkProjections().ok)
  }

  @Test func `a secret that cannot be decrypted is reported if the key is available`() async throws
  {
    let book = try await RollupBook.make(events: 30)
    try book.tamper(
      "UPDATE vault SET sealed = zeroblob(80) WHERE account = "
        + "(SELECT number FROM account ORDER BY number LIMIT 1)")
    let (recovery, _) = try await recovered(book)
    #expect(recovery.withoutSecret == [TestBook.ada])
    #expect(recovery.hasOpenedSecrets && !recovery.isWhole)
    let again = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: book.folder.file("other.book"))
    #expect(!again.hasOpenedSecrets)
  }

  @Test func `encrypted data that cannot be decrypted is reported`() async throws {
    let book = try await RollupBook.make(events: 30)
    let ada = "(SELECT number FROM account ORDER BY number LIMIT 1)"
    try book.tamper(
      "INSERT OR REPLACE INTO vault VALUES (\(ada), 'cookies', 1, zeroblob(80))",
      "INSERT OR REPLACE INTO vault VALUES (\(ada), 'trust', 1, zeroblob(80))")
    let (recovery, _) = try await recovered(book)
    #expect(recovery.withoutSecret == [TestBook.ada])
    #expect(recovery.otherSecrets == [LostSecret(account: TestBook.ada, purpose: "trust")])
    #expect(!recovery.isWhole)
  }
}
