import CSQLite
import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

@Suite struct ArchiveTests {
  /// Sizes around the ends of blocks and subtrees, where the past and the present share one.
  @Test(arguments: [7, 255, 256, 257, 511, 700, 1024])
  func `a book continues after its archive as if it had all of its past`(_ size: Int) async throws {
    let whole = try await RollupBook.make(events: size)
    let book = try await RollupBook.make(events: size)
    var store = try await book.open()
    let former = try store.makeReader()
    let root = try former.head().root
    let accounts = try former.accounts()
    let counted = try former.tally().events
    let archive = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    #expect(archive.end.rawValue == Int64(size))
    #expect(archive.root == root)
    #expect(archive.position.rawValue == Int64(size) + 1)
    // Nobody has to open the book again: neither those who read it nor those who write.
    #expect(try former.accounts() == accounts)
    #expect(try former.tally().events == counted + 1)
    try await RollupBook.fill(store, from: size + 1, upTo: size + 600, seed: 9)
    await store.close()
    try await expectWhole(book, archive)
    store = try await whole.open()
    try await RollupBook.fill(store, from: size, upTo: size + 599, seed: 9)
    await store.close()
    for account in [TestBook.ada, TestBook.bob] {
      #expect(try book.reader().tally(of: account) == whole.reader().tally(of: account))
    }
    #expect(try book.reader().accounts().map(\.state) == whole.reader().accounts().map(\.state))
  }

  private func expectWhole(_ book: TestBook, _ archive: Archive) async throws {
    let verdict = try await book.verify()
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(verdict.continuation?.archived == archive.end)
    let both = try await BookVerifier(path: book.path).verify(archive: archive.path)
    #expect(both.ok, "\(both.problems)")
    #expect(both.archive?.root == archive.root)
    #expect(both.archive?.hasSameState == true)
    let reader = try book.reader()
    let check = try reader.checkProjections()
    #expect(check.ok, "\(check.problems)")
    for account in [TestBook.ada, TestBook.bob] {
      #expect(try reader.checkProjections(of: account).ok)
    }
    let rows = try RollupBook.rows(book)
    let store = try await book.open()
    _ = try await store.rebuild(from: FoldedLog())
    await store.close()
    #expect(try RollupBook.rows(book) == rows)
    let first = try #require(try reader.events(EventFilter()).first)
    #expect(first.kind == "book.continued")
    #expect(first.position.rawValue == archive.end.rawValue + 1)
    #expect(first.data["state"]?.text == archive.state)
  }

  @Test func `an event after the archive is proven against the whole tree`() async throws {
    let book = try await RollupBook.make(events: 333)
    let store = try await book.open()
    let path = book.folder.file("past.book")
    _ = try await store.archive(to: path) { _, _ in }
    try await RollupBook.fill(store, from: 334, upTo: 800, seed: 4)
    await store.close()
    let reader = try book.reader()
    for position in [334, 335, 340, 384, 385, 400, 512, 513, 799, 800] {
      let proof = try reader.proof(of: Position(rawValue: Int64(position)))
      #expect(try InclusionProof(text: proof).event.position.rawValue == Int64(position))
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try reader.proof(of: Position(rawValue: 333))
    }
    let old = try BookReader.open(at: path, key: book.key)
    #expect(try InclusionProof(text: old.proof(of: Position(rawValue: 333))).size == 333)
  }

  @Test func `a checkpoint is compared, an old one with the archive`() async throws {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    try await RollupBook.fill(store, from: 300, upTo: 310, seed: 3)
    let old = try store.makeReader().checkpoint()
    try await RollupBook.fill(store, from: 310, upTo: 320, seed: 3)
    let last = try store.makeReader().checkpoint()
    let path = book.folder.file("past.book")
    _ = try await store.archive(to: path) { _, _ in }
    try await RollupBook.fill(store, from: 321, upTo: 340, seed: 3)
    let next = try store.makeReader().checkpoint()
    try await RollupBook.fill(store, from: 340, upTo: 360, seed: 3)
    await store.close()
    for note in [last, next] { #expect(try await book.verify(against: note).ok) }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.verify(against: old)
    }
    let both = try await BookVerifier(path: book.path).verify(against: old, archive: path)
    #expect(both.ok, "\(both.problems)")
    #expect(try await BookVerifier(path: path).verify(against: old).ok)
  }

  @Test func `an archive that is cancelled while it is copied leaves nothing`() async throws {
    let book = try await RollupBook.make(events: 7000)
    let store = try await book.open()
    let path = book.folder.file("past.book")
    let steps = Counter()
    let task = Task { () async -> GatebookError? in
      do throws(GatebookError) {
        _ = try await store.archive(to: path) { _, _ in
          steps.add()
          withUnsafeCurrentTask { $0?.cancel() }
        }
        return nil
      } catch {
        return error
      }
    }
    #expect(await task.value?.code == .cancelled)
    // The first step was the last one.
    #expect(steps.value == 1)
    #expect(!book.folder.names.contains { $0.hasPrefix("past.book") })
    #expect(try store.makeReader().copies().isEmpty)
    _ = try await store.archive(to: path) { _, _ in }
    await store.close()
    #expect(try await BookVerifier(path: book.path).verify(archive: path).ok)
  }

  @Test func `archives follow each other`() async throws {
    let book = try await RollupBook.make(events: 290)
    let store = try await book.open()
    var paths: [String] = []
    for round in 1...3 {
      paths.append(book.folder.file("past\(round).book"))
      let archive = try await store.archive(to: paths[round - 1]) { _, _ in }
      try await expectWhole(book, archive)
      try await RollupBook.fill(
        store, from: Int(archive.position.rawValue), upTo: Int(archive.position.rawValue) + 200,
        seed: UInt64(round))
    }
    // What is in blocks and counters must not count twice what one writer saw before an archive.
    let check = try store.makeReader().checkProjections()
    #expect(check.ok, "\(check.problems)")
    await store.close()
    for (newer, older) in zip(paths.dropFirst(), paths) {
      let verdict = try await BookVerifier(path: newer).verify(archive: older)
      #expect(verdict.ok, "\(verdict.problems)")
    }
    let last = try await BookVerifier(path: book.path).verify(archive: paths[0])
    #expect(!last.ok)
    #expect(last.isArchiveAtFault)
  }

  @Test func `what the past alone tells is refused, not told wrongly`() async throws {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    let reader = try store.makeReader()
    let then = try #require(try reader.event(at: Position(rawValue: 200))).at
    let before = try reader.context(of: TestBook.ada)
    let size = try reader.head().size
    _ = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    try await RollupBook.fill(store, from: 301, upTo: 400, seed: 5)
    await store.close()
    for past in [Position(rawValue: 1), Position(rawValue: 299)] {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try reader.context(of: TestBook.ada, asOf: past)
      }
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try reader.sessions(asOf: past)
      }
    }
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try reader.position(asOf: then)
    }
    #expect(try reader.event(at: Position(rawValue: 150)) == nil)
    #expect(
      try reader.context(of: TestBook.ada, asOf: Position(rawValue: size)) == before)
    // An account's label is in an event of the archive.
    #expect(try reader.context(of: TestBook.ada)?.attributes == before?.attributes)
  }

  @Test func `secrets stay, and an archive is never written`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    let path = book.folder.file("past.book")
    _ = try await store.archive(to: path) { _, _ in }
    let secret = try store.makeReader().secret(of: TestBook.ada, purpose: "session")
    #expect(secret == Array("s3cret".utf8))
    await store.close()
    let before = try FileBytes.read(path)
    await expect(.storageReadOnly) { () throws(GatebookError) in
      _ = try await EventStore.open(
        at: path, key: book.key, program: TestBook.program, clock: book.clock,
        random: SystemRandom(), wait: .seconds(1))
    }
    #expect(try FileBytes.read(path) == before)
    #expect(try BookReader.open(at: path).isArchive())
    #expect(try !book.reader().isArchive())
    await expect(.configurationInvalid) { () throws(GatebookError) in
      let store = try await book.open()
      _ = try await store.archive(to: path) { _, _ in }
    }
    #expect(try FileBytes.read(path) == before)
  }

  @Test(arguments: [
    "UPDATE opening_row SET state = replace(state, '1', '2') WHERE part = 'stream'",
    "DELETE FROM opening_row WHERE part = 'session'",
    "UPDATE opening_event SET data = '{}' WHERE position = (SELECT min(position) FROM opening_event)",
    "DELETE FROM opening_event", "UPDATE opening SET root = zeroblob(32)",
    "UPDATE opening SET state = zeroblob(32)", "DELETE FROM opening", "DELETE FROM opening_row",
    "UPDATE opening SET floor = floor - 1",
    "UPDATE subtree SET root = zeroblob(32) WHERE number = 0",
  ])
  func `a changed beginning is found`(_ change: String) async throws {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    _ = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    try await RollupBook.fill(store, from: 301, upTo: 320, seed: 5)
    await store.close()
    #expect(try await book.verify().ok)
    try book.tamper(change)
    #expect(try await !book.verify().ok, "\(change)")
  }

  @Test func `a changed archive is found with its book`() async throws {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    let path = book.folder.file("past.book")
    _ = try await store.archive(to: path) { _, _ in }
    await store.close()
    chmod(path)
    let connection = try Connection.open(path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("DROP TRIGGER event_is_never_updated")
    try connection.execute("UPDATE event SET at = at + 1 WHERE position = 40")
    let verdict = try await BookVerifier(path: book.path).verify(archive: path)
    #expect(!verdict.ok)
    #expect(verdict.problems.contains { $0.contains("The archive: ") })
    #expect(try await book.verify().ok)
  }

  private func chmod(_ path: String) {
    _ = Glibc.chmod(path, 0o600)
  }
}
