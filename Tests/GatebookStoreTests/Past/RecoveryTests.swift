import CSQLite
import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

@Suite struct RecoveryTests {
  /// What is done to the file, by the pages of a table or an index.
  enum Damage: String, CaseIterable {
    case none, header, firstPage, eventRoot, eventLeaf, eventLeaves, idIndex, streamIndex, vault
    case accountStates, head, kinds, subtrees, truncated, changedEvent, lostWAL, namedEvent
    case wrongNumber
  }

  @Test(arguments: Damage.allCases)
  func `what is readable of a damaged book makes a whole one`(_ damage: Damage) async throws {
    let book = try await RollupBook.make(events: 900)
    let before = try book.reader()
    let size = try before.head().size
    let accounts = try before.accounts()
    let events = try before.events(EventFilter())
    let checkpoint = try before.checkpoint()
    try inflict(damage, book)
    let damaged = try FileBytes.read(book.path)
    let path = book.folder.file("new.book")
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: path)
    #expect(try FileBytes.read(book.path) == damaged)
    let missing = recovery.lost.reduce(0) {
      $0 + $1.upperBound.rawValue - $1.lowerBound.rawValue + 1
    }
    #expect(recovery.kept + missing == size)
    #expect(recovery.kept > 0)
    if [.none, .header, .idIndex, .streamIndex, .kinds, .accountStates].contains(damage) {
      #expect(recovery.lost.isEmpty, "\(recovery.lost)")
    }
    if [.eventLeaf, .eventLeaves, .truncated, .changedEvent].contains(damage) {
      #expect(!recovery.lost.isEmpty)
    }
    let verdict = try await BookVerifier(path: path).verify()
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(verdict.continuation?.isRecovered == true)
    #expect(verdict.continuation?.lost == recovery.lost)
    if recovery.isProven {
      let against = try await BookVerifier(path: path).verify(against: checkpoint)
      #expect(against.ok, "\(against.problems)")
    } else {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await BookVerifier(path: path).verify(against: checkpoint)
      }
    }
    if damage != .accountStates, recovery.stale.isEmpty, recovery.withoutSecret.isEmpty {
      let now = try BookReader.open(at: path, key: book.key).accounts()
      #expect(now.map(\.account) == accounts.map(\.account))
      #expect(now.map(\.state) == accounts.map(\.state))
    }
    try await goOn(book, path, recovery, events)
  }

  /// Every event that is there is as it was, and the book takes more.
  private func goOn(
    _ book: TestBook, _ path: String, _ recovery: Recovery, _ events: [RecordedEvent]
  ) async throws {
    let reader = try BookReader.open(at: path, key: book.key)
    let found = try reader.events(EventFilter())
    #expect(
      found.dropLast()
        == events.filter { event in
          !recovery.lost.contains { $0.contains(event.position) }
        })
    #expect(found.last?.kind == "book.recovered")
    let store = try await EventStore.open(
      at: path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    try await RollupBook.fill(
      store, from: Int(recovery.size) + 1, upTo: Int(recovery.size) + 400, seed: 8)
    await store.close()
    let verdict = try await BookVerifier(path: path).verify()
    #expect(verdict.ok, "\(verdict.problems)")
    let check = try reader.checkProjections()
    #expect(check.ok, "\(check.problems)")
    var kinds = EventFilter()
    kinds.kind = "account.switched"
    #expect(try reader.events(kinds).count > 0)
    let archive = book.folder.file("archive.book")
    let before = try reader.accounts().count
    let again = try await EventStore.open(
      at: path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    _ = try await again.archive(to: archive) { _, _ in }
    await again.close()
    #expect(try reader.accounts().count == before)
    let both = try await BookVerifier(path: path).verify(archive: archive)
    #expect(both.ok, "\(both.problems)")
  }

  private func inflict(_ damage: Damage, _ book: TestBook) throws {
    switch damage {
    case .none: break
    case .header: try overwrite(book.path, 0, 100)
    case .firstPage: try overwrite(book.path, 0, 4096)
    case .eventRoot: try wipe(try root(of: "event", book), book)
    case .eventLeaf: try wipe(try pages(of: "event", book)[3], book)
    case .eventLeaves:
      for page in try pages(of: "event", book).dropFirst(5).prefix(9) { try wipe(page, book) }
    case .idIndex: for page in try pages(of: "event_id", book) { try wipe(page, book) }
    case .streamIndex: for page in try pages(of: "event_stream", book) { try wipe(page, book) }
    case .vault: try wipe(try root(of: "vault", book), book)
    case .accountStates: try wipe(try root(of: "account_state", book), book)
    case .head: try wipe(try root(of: "head", book), book)
    case .kinds: try wipe(try root(of: "kind", book), book)
    case .subtrees: try wipe(try root(of: "subtree", book), book)
    case .truncated:
      let bytes = try FileBytes.read(book.path)
      truncate(book.path, bytes.count / 4096 * 4096 / 3 * 2)
    case .changedEvent:
      try book.tamper("UPDATE event SET at = at + 1 WHERE position = 77")
    case .namedEvent:
      try book.tamper(
        """
        UPDATE event SET at = at + 1 WHERE position = (SELECT min(position) FROM event WHERE account != 0)
        """)
    case .wrongNumber:
      try book.tamper(
        "UPDATE event SET position = 1 << 40 WHERE position = 500")
      try wipe(try root(of: "head", book), book)
    case .lostWAL: unlink(book.path + "-wal")
    }
  }

  private func root(of name: String, _ book: TestBook) throws -> Int64 {
    try ReaderConnection.open(BookFile(path: book.path)).integer(
      "SELECT rootpage FROM sqlite_schema WHERE name = '\(name)'")
  }

  /// The leaves of a b-tree of two levels.
  private func pages(of name: String, _ book: TestBook) throws -> [Int64] {
    let bytes = try FileBytes.read(book.path)
    let start = Int(try root(of: name, book) - 1) * 4096
    let count = Int(bytes[start + 3]) << 8 | Int(bytes[start + 4])
    guard [0x05, 0x02].contains(bytes[start]) else { return [try root(of: name, book)] }
    return (0..<count).map { index in
      let cell = Int(bytes[start + 12 + 2 * index]) << 8 | Int(bytes[start + 13 + 2 * index])
      return bytes[start + cell..<start + cell + 4].reduce(0) { $0 << 8 | Int64($1) }
    }
  }

  private func wipe(_ page: Int64, _ book: TestBook) throws {
    try overwrite(book.path, Int(page - 1) * 4096, 4096)
  }

  private func overwrite(_ path: String, _ start: Int, _ count: Int) throws {
    let file = open(path, O_WRONLY)
    try #require(file >= 0)
    defer { close(file) }
    let zeros = [UInt8](repeating: 0, count: count)
    #expect(pwrite(file, zeros, count, start) == count)
  }

  @Test func `a book whose end is in its write-ahead log is read with it`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    try await RollupBook.fill(store, from: 40, upTo: 140, seed: 2)
    let size = try store.makeReader().head().size
    let copy = book.folder.file("copy.book")
    for end in ["", "-wal"] { try FileBytes.copy(book.path + end, to: copy + end) }
    await store.close()
    try overwrite(copy, 0, 100)
    let recovery = try await BookRecovery(path: copy, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    #expect(recovery.size == size)
    #expect(recovery.isWhole)
  }

  @Test func `a continued book is recovered with its archive's end`() async throws {
    let book = try await RollupBook.make(events: 600)
    let store = try await book.open()
    let past = book.folder.file("past.book")
    _ = try await store.archive(to: past) { _, _ in }
    try await RollupBook.fill(store, from: 601, upTo: 1500, seed: 4)
    let labels = try store.makeReader().accounts()
    await store.close()
    try wipe(try pages(of: "event", book)[2], book)
    let path = book.folder.file("new.book")
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: path)
    #expect(!recovery.lost.isEmpty)
    let verdict = try await BookVerifier(path: path).verify(archive: past)
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(verdict.continuation?.archived.rawValue == 600)
    #expect(try BookReader.open(at: path, key: book.key).accounts() == labels)
  }

  @Test func `a continued book that lost its one event and its head is recovered`() async throws {
    let book = try await RollupBook.make(events: 600)
    let store = try await book.open()
    let past = book.folder.file("past.book")
    _ = try await store.archive(to: past) { _, _ in }
    let labels = try store.makeReader().accounts()
    await store.close()
    try book.tamper("DELETE FROM event", "DELETE FROM head")
    let path = book.folder.file("new.book")
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: path)
    #expect(recovery.lost == [Position(rawValue: 601)...Position(rawValue: 601)])
    #expect(!recovery.hasEnd)
    let verdict = try await BookVerifier(path: path).verify(archive: past)
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(try BookReader.open(at: path, key: book.key).accounts() == labels)
  }

  @Test func `the time before a recovery is shown as before`() async throws {
    let book = try await RollupBook.make(events: 600)
    let path = book.folder.file("new.book")
    _ = try await BookRecovery(path: book.path, program: TestBook.program).recover(to: path)
    let (old, new) = (try book.reader(), try BookReader.open(at: path, key: book.key))
    for position in stride(from: Int64(3), through: 600, by: 23) {
      for account in [TestBook.ada, TestBook.bob] {
        let position = Position(rawValue: position)
        #expect(
          try new.context(of: account, asOf: position) == old.context(of: account, asOf: position))
      }
    }
  }

  @Test func `a torn write-ahead log is reported`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    try await RollupBook.fill(store, from: 40, upTo: 140, seed: 2)
    let copy = book.folder.file("copy.book")
    for end in ["", "-wal"] { try FileBytes.copy(book.path + end, to: copy + end) }
    await store.close()
    // The first frame: later ones may be of an older log.
    try overwrite(copy + "-wal", 32 + 24, 200)
    let recovery = try await BookRecovery(path: copy, program: TestBook.program)
      .recover(to: book.folder.file("new.book"))
    #expect(!recovery.hasEnd && !recovery.isWhole)
  }

  @Test func `an archive that is whole is no damaged book`() async throws {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    let past = book.folder.file("past.book")
    _ = try await store.archive(to: past) { _, _ in }
    await store.close()
    let path = book.folder.file("new.book")
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await BookRecovery(path: past, program: TestBook.program).recover(to: path)
    }
    #expect(access(path, F_OK) != 0)
  }

  @Test func `a recovery that is cancelled leaves nothing`() async throws {
    let book = try await TestBook.written()
    let path = book.folder.file("new.book")
    let source = book.path
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await BookRecovery(path: source, program: TestBook.program).recover(to: path)
    }
    let result = await task.result
    #expect(throws: GatebookError.self) { try result.get() }
    #expect(access(path, F_OK) != 0)
  }

  @Test func `nothing of a book is no book`() async throws {
    let book = try await TestBook.written()
    try overwrite(book.path, 0, try FileBytes.read(book.path).count)
    let path = book.folder.file("new.book")
    await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try await BookRecovery(path: book.path, program: TestBook.program).recover(to: path)
    }
    #expect(access(path, F_OK) != 0)
    #expect(access(path + "-draft", F_OK) != 0)
  }
}
