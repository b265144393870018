import CSQLite
import GatebookCrypto
import GatebookEvents
import GatebookMigrations
import Testing

@testable import GatebookStore

@Suite struct SchemaCheckTests {
  private static let changes = [
    ("DROP TRIGGER event_is_never_deleted", "The trigger event_is_never_deleted is missing."),
    (
      """
      DROP TRIGGER event_is_never_updated;
      CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event BEGIN SELECT 1; END
      """, "The trigger event_is_never_updated was changed."
    ),
    (
      "CREATE TRIGGER t1 AFTER INSERT ON event BEGIN DELETE FROM vault; END",
      "The trigger t1 does not belong to Gatebook."
    ),
    ("CREATE TABLE kept (key BLOB)", "The table kept does not belong to Gatebook."),
    ("CREATE VIEW mine AS SELECT 1", "The view mine does not belong to Gatebook."),
    ("CREATE INDEX event_at ON event (at)", "The index event_at does not belong to Gatebook."),
    (
      """
      DROP INDEX event_stream;
      CREATE UNIQUE INDEX event_stream ON event (account, revision) WHERE position <> 3
      """, "The index event_stream was changed."
    ), ("DROP TABLE copy", "The table copy is missing."),
  ]

  @Test(arguments: changes)
  func `what is missing, changed or put in is named`(_ change: String, _ told: String) async throws
  {
    let book = try await TestBook.written(events: 3)
    #expect(try book.sealedReader().schemaProblems() == [])
    try book.tamper(change, keepingTriggers: true)
    #expect(try book.sealedReader().schemaProblems() == [told])
  }

  @Test func `a table that a view stands for is missing`() async throws {
    let book = try await TestBook.written(events: 3)
    try book.tamper(
      "ALTER TABLE event RENAME TO hidden", "CREATE VIEW event AS SELECT * FROM hidden")
    let problems = try book.sealedReader().schemaProblems()
    #expect(problems.contains("The table event is missing."))
    #expect(problems.contains("The view event does not belong to Gatebook."))
  }

  @Test func `archives, continued books, backups and SQLite's own data are sound`()
    async throws
  {
    let book = try await RollupBook.make(events: 300)
    let store = try await book.open()
    let (copy, past) = (book.folder.file("copy"), book.folder.file("past"))
    _ = try await store.archive(to: past) { _, _ in }
    _ = try await store.backUp(to: copy, replacing: false, random: SystemRandom()) { _, _ in }
    await store.close()
    try book.tamper("ANALYZE", keepingTriggers: true)
    for path in [book.path, copy, past] {
      #expect(try BookReader.open(at: path).schemaProblems() == [], "\(path)")
    }
    // As a process leaves it that dies between an archive and the end of its tidying.
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute("BEGIN")
    try PastEvents(connection).setAside()
    try connection.execute("COMMIT")
    #expect(try book.sealedReader().schemaProblems() == [])
  }

  @Test(arguments: [
    "CREATE TRIGGER t1 AFTER INSERT ON event BEGIN DELETE FROM vault; END",
    "CREATE TRIGGER t1 AFTER INSERT ON event BEGIN SELECT 1; END",
    """
    DROP TRIGGER event_is_never_updated;
    CREATE TRIGGER event_is_never_updated BEFORE UPDATE ON event BEGIN SELECT 1; END
    """,
    "CREATE VIEW mine AS SELECT 1",
    """
    CREATE TRIGGER t1 AFTER INSERT ON event BEGIN DELETE FROM vault; END;
    PRAGMA writable_schema=ON; UPDATE sqlite_schema SET type = 'TRIGGER' WHERE name = 't1'
    """,
    "CREATE UNIQUE INDEX mine ON event (position, kind)",
    """
    ALTER TABLE subtree RENAME TO x;
    CREATE TABLE SUBTREE (level INTEGER, number INTEGER, root BLOB)
    """,
    """
    PRAGMA writable_schema=ON;
    UPDATE sqlite_schema SET sql = replace(sql, ' TEXT', ' TEXT UNIQUE ON CONFLICT REPLACE')
      WHERE name = 'vault'
    """,
  ])
  func `a book that holds somebody's code is not opened for writing`(_ change: String) async throws
  {
    let book = try await TestBook.written(events: 3)
    try book.tamper(change, keepingTriggers: true)
    let before = try book.sealedReader().events(EventFilter())
    await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try await book.open()
    }
    #expect(try book.sealedReader().events(EventFilter()) == before)
  }

  @Test func `tables beside Gatebook's harm nobody`() async throws {
    let book = try await TestBook.written(events: 3)
    try book.tamper(
      "CREATE TABLE kept (key BLOB)", "CREATE INDEX kept_key ON kept (key)", "ANALYZE",
      keepingTriggers: true)
    await (try await book.open()).close()
  }

  @Test func `a recovery creates the schema again`() async throws {
    let book = try await TestBook.written(events: 3)
    try book.tamper("CREATE TRIGGER t1 AFTER INSERT ON event BEGIN DELETE FROM vault; END")
    let path = book.folder.file("new.book")
    _ = try await BookRecovery(path: book.path, program: TestBook.program).recover(to: path)
    #expect(try BookReader.open(at: path).schemaProblems() == [])
  }

  @Test(arguments: 1...migrations.count)
  func `a book of an older version is compared with that, and brought up to date with this`(
    _ version: Int
  ) throws {
    let book = try TestBook()
    let connection = try Connection.open(
      book.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
    func apply(_ steps: ArraySlice<Migration>) throws {
      for step in steps { try connection.execute(String(decoding: step.sql, as: UTF8.self)) }
    }
    try apply(migrations.prefix(version))
    try connection.execute("PRAGMA user_version = \(version)")
    #expect(try SchemaCheck(connection).problems == [])
    try apply(migrations.dropFirst(version))
    try connection.execute("PRAGMA user_version = \(migrations.count)")
    #expect(try SchemaCheck(connection).problems == [])
  }
}
