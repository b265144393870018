import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct DamageTests {
  /// Damage to a book of 31 events (7 of them of logins after the first), and the first wrong
  /// position.
  private static let damages: [(String, Int64?)] = [
    ("UPDATE event SET data = '{\"index\":99}' WHERE position = 9", 9),
    ("UPDATE event SET data = data || ' ' WHERE position = 9", 9),
    ("UPDATE event SET at = at + 1 WHERE position = 12", 12),
    ("UPDATE event SET cause = 3 WHERE position = 12", 12),
    ("UPDATE event SET cause = NULL WHERE position = 12", 12),
    ("UPDATE event SET process = 1 WHERE position = 31", 31),
    ("UPDATE event SET version = 2 WHERE position = 1", 1),
    ("UPDATE event SET version = version + 65536 WHERE position = 12", 12),
    ("UPDATE event SET kind = 1, version = 7 WHERE position = 8", 8),
    ("UPDATE event SET id = zeroblob(16) WHERE position = 5", 5),
    ("UPDATE event SET account = 0, revision = 2 WHERE position = 20", 20),
    ("UPDATE event SET account = 77 WHERE position = 20", 20),
    ("UPDATE event SET session = NULL WHERE position = 20", 20),
    ("UPDATE event SET session = 77 WHERE position = 20", 20),
    ("UPDATE event SET kind = 1 WHERE position = 21", 21),
    ("UPDATE event SET kind = 77 WHERE position = 21", 21),
    ("UPDATE event SET writer = 77 WHERE position = 21", 21),
    ("UPDATE event SET sealed = NULL WHERE position = 2", 2),
    ("UPDATE event SET sealed = CAST(sealed || x'00' AS BLOB) WHERE position = 2", 2),
    ("UPDATE event SET sealed = x'' WHERE position = 9", 9),
    ("UPDATE event SET leaf = zeroblob(32) WHERE position = 17", 17),
    ("UPDATE event SET revision = revision + 100 WHERE position = 31", 31),
    ("DELETE FROM event WHERE position = 13", 13),
    ("DELETE FROM event WHERE position = 1", 1),
    ("DELETE FROM event WHERE position = 31", 31),
    ("DELETE FROM event", 1),
    ("UPDATE kind SET name = 'session.lost' WHERE name = 'account.added'", 2),
    ("UPDATE writer SET program = 'nobody'", 1),
    ("UPDATE writer SET version = '1.1'", 1),
    ("UPDATE writer SET installation = zeroblob(16)", 1),
    ("UPDATE account SET id = zeroblob(16) WHERE number = 2", 5),
    ("UPDATE session SET id = zeroblob(16) WHERE number = 1", 3),
    ("DELETE FROM kind", 1),
    ("DELETE FROM writer", 1),
    ("DELETE FROM account WHERE number = 1", 2),
    ("UPDATE account SET number = number + 10", 2),
    ("DELETE FROM session WHERE number = 1", 3),
    ("UPDATE head SET root = zeroblob(32)", nil),
    ("UPDATE head SET frontier = zeroblob(160)", nil),
    ("UPDATE head SET frontier = x''", nil),
    ("UPDATE head SET size = 30", 31),
    ("UPDATE head SET size = 32", 32),
    ("UPDATE head SET size = 0", 1),
    ("UPDATE head SET size = -5", -4),
    ("UPDATE head SET size = 4611686018427387904", 32),
    ("UPDATE head SET size = 9223372036854775807", 32),
    ("INSERT INTO subtree VALUES (8, 0, zeroblob(32))", nil),
    ("INSERT INTO subtree VALUES (24, 0, zeroblob(32))", nil),
    ("INSERT INTO subtree VALUES (7, 0, zeroblob(32))", nil),
    ("INSERT INTO lost VALUES (3, 5)", nil),
    ("INSERT INTO lost VALUES (-9223372036854775808, 9223372036854775807)", nil),
    (
      """
      INSERT INTO event SELECT 32, zeroblob(16), account, revision + 1, session, kind, version, at,
        cause, writer, process, data, sealed, leaf FROM event WHERE position = 31
      """, 32
    ),
  ]

  @Test(arguments: 0..<damages.count)
  func `what was changed is found, and where it begins`(index: Int) async throws {
    let (change, firstBad) = Self.damages[index]
    let book = try await TestBook.written()
    #expect(try await book.verify().ok)
    try book.tamper(change)
    let verdict = try await book.verify()
    #expect(!verdict.ok)
    #expect(verdict.firstBad?.rawValue == firstBad, "\(verdict.problems)")
    #expect(verdict.problems.count <= 20)
    // The key adds what it opens, and takes nothing away.
    let keyed = try await BookVerifier(path: book.path).verify(key: book.key)
    #expect(keyed.firstBad == verdict.firstBad)
    #expect(keyed.agreesWithRoot == verdict.agreesWithRoot)
    #expect(keyed.isLogWhole == verdict.isLogWhole)
    #expect(Set(keyed.problems.prefix(verdict.problems.count)) == Set(verdict.problems))
  }

  @Test func `two rows that changed places are found`() async throws {
    for (left, right) in [(8, 9), (5, 31), (1, 2)] as [(Int64, Int64)] {
      let book = try await TestBook.written()
      try book.tamper(
        "UPDATE event SET position = 99 WHERE position = \(left)",
        "UPDATE event SET position = \(left) WHERE position = \(right)",
        "UPDATE event SET position = \(right) WHERE position = 99")
      #expect(try await book.verify().firstBad == Position(rawValue: left))
    }
  }

  @Test(arguments: ["DELETE FROM head", "DELETE FROM book", "UPDATE book SET key_description = ''"])
  func `a book without its only rows is damage`(change: String) async throws {
    let book = try await TestBook.written()
    try book.tamper(change)
    await expect(.storageDamaged) { () throws(GatebookError) in _ = try await book.verify() }
    await expect(.storageDamaged) { () throws(GatebookError) in _ = try await book.open() }
  }

  @Test func `an index that does not fit its table is found`() async throws {
    let book = try await TestBook.written()
    try book.tamper(
      "PRAGMA writable_schema = ON",
      """
      UPDATE sqlite_schema SET sql = 'CREATE UNIQUE INDEX event_stream ON event (revision, account)'
      WHERE name = 'event_stream'
      """)
    #expect(try await book.verify().ok == false)
  }

  @Test func `newest events that were cut off show only against a checkpoint`() async throws {
    let book = try await TestBook.written()
    let old = book.folder.file("old.book")
    try FileBytes.copy(book.path, to: old)
    let store = try await book.open()
    _ = try await store.append(.note())
    await store.close()
    let note = try book.reader().checkpoint()
    let alone = try await BookVerifier(path: old).verify()
    #expect(alone.ok)
    #expect(alone.level == .itself)
    let verdict = try await BookVerifier(path: old).verify(against: note)
    #expect(!verdict.ok)
    #expect(verdict.firstBad == Position(rawValue: 32))
    // The other way round: a book that has grown still agrees with what was seen before.
    let before = try BookReader.open(at: old, key: book.key).checkpoint()
    #expect(try await book.verify(against: before).ok)
  }

  @Test func `history that was rewritten with the keys shows only against a checkpoint`()
    async throws
  {
    let book = try await TestBook.written()
    let fork = try TestBook()
    try FileBytes.copy(book.path, to: fork.path)
    for (book, text) in [(book, "as it was"), (fork, "as it suits")] {
      let store = try await book.open()
      _ = try await store.append(.note(text))
      await store.close()
    }
    let note = try book.reader().checkpoint()
    #expect(try await fork.verify().ok)
    let verdict = try await fork.verify(against: note)
    #expect(!verdict.ok)
    #expect(try await book.verify(against: note).ok)
  }

  @Test(arguments: [0.001, 0.1, 0.3, 0.5, 0.7, 0.9, 0.999])
  func `a truncated book is damage, never another book`(part: Double) async throws {
    let book = try await TestBook.written()
    let events = try book.reader().events(EventFilter())
    let bytes = try FileBytes.read(book.path)
    // The end of the last page may hold nothing: then nothing would be lost with it.
    let length = min(Int(Double(bytes.count) * part), bytes.count - 4096)
    try FileBytes.write(Array(bytes.prefix(length)), to: book.path)
    do throws(GatebookError) {
      let verdict = try await book.verify()
      #expect(!verdict.ok)
      let found = try book.reader().events(EventFilter())
      #expect(found == events)
    } catch {
      #expect(error.code.rawValue.hasPrefix("storage."), "\(error)")
    }
    await expect(.storageDamaged) { () throws(GatebookError) in
      let store = try await book.open()
      _ = try await store.append(.login(AccountID(high: 5, low: 5), SessionID(high: 5, low: 5)))
    }
  }

  @Test func `a kind of a newer version is ordered, counted and verified`() async throws {
    let book = try await TestBook.written(events: 2)
    try ForeignEvent(kind: "session.teleported", version: 9, data: #"{"where":"Mars"}"#)
      .append(to: book)
    #expect(try await book.verify().ok)
    let event = try #require(try book.reader().events(EventFilter()).last)
    #expect(event.kind == "session.teleported")
    #expect(event.version == 9)
    #expect(event.data == ["where": "Mars"])
    let store = try await book.open()
    _ = try await store.append(.note())
    _ = try await store.rebuild(from: FoldedLog())
    await store.close()
    #expect(try book.reader().checkProjections().ok)
    #expect(try await book.verify().ok)
  }
}
