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
    // Revisions go on where they were.
    store = try await EventStore.open(
      at: recovery.path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    try await RollupBook.fill(store, from: 8, upTo: 60, seed: 5)
    await store.close()
    let verdict = try await BookVerifier(path: recovery.path).verify()
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(try reader.checkProjections().ok)
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

  @Test func `a secret that is there and does not open is told where the key is`() async throws {
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
}
