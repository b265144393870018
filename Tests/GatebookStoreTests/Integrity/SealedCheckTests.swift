import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// What no hash of the log covers is opened with the key, and compared with what logins wrote.
@Suite struct SealedCheckTests {
  private static let parts = [["user", "ada"], ["user", "bob"], ["name", "ada"]]

  /// A lived book with a login that waits, a document, and a copy that was recorded.
  private static func make() async throws -> TestBook {
    let book = try await LivedBook.make()
    let store = try await book.open()
    let name = try store.makeReader().document(["https://id.example"]).name
    var append = Append.note("more")
    append.vault = [
      .keepAttempt(
        SessionID(high: 1, low: 9), deadline: Timestamp(rawValue: .max), content: [1, 2, 3]),
      .keepDocument(name, fresh: Timestamp(rawValue: 0), content: [4, 5, 6], after: nil),
      .beginCopy(CopyID(high: 1, low: 1), kind: .backup, place: "/copies/one"),
    ]
    append.lookups = [
      (account: TestBook.ada, hash: [UInt8](repeating: 7, count: 32)),
      (account: TestBook.bob, hash: [UInt8](repeating: 8, count: 32)),
    ]
    _ = try await store.append(append)
    await store.close()
    return book
  }

  private func verdict(_ book: TestBook) async throws -> Verdict {
    try await BookVerifier(path: book.path).verify(key: book.key)
  }

  @Test func `a sound book is opened whole`() async throws {
    let book = try await Self.make()
    let verdict = try await verdict(book)
    #expect(verdict.ok, "\(verdict.problems)")
    let secrets = try #require(verdict.secrets)
    // One of four was erased; one has logged out, and two have saved credentials.
    #expect((secrets.keys, secrets.secrets, secrets.documents, secrets.others) == (3, 4, 1, 2))
    #expect((secrets.lists, secrets.takenLists, secrets.unlisted) == (3, 0, 0))
    #expect(secrets.hasComparedGenerations)
  }

  @Test func `without its key, or with a wrong one, a book is verified as before`() async throws {
    let book = try await Self.make()
    let other = MemoryKey(bytes: [UInt8](repeating: 1, count: 32))
    try book.tamper("UPDATE account SET key = zeroblob(61) WHERE number = 1", keepingTriggers: true)
    #expect(try await book.verify().ok)
    #expect(try await book.verify().secrets == nil)
    let wrong = try await BookVerifier(path: book.path).verify(key: other)
    #expect(wrong.ok)
    #expect(wrong.secrets == nil)
    #expect(wrong.keyFailure?.code == .keyWrong)
    let right = try await verdict(book)
    #expect(!right.ok)
    #expect(right.isLogWhole && right.isVaultAtFault && right.firstBad == nil)
  }

  /// Every column that is encrypted, is authenticated with encrypted data, or finds an account.
  struct Column: Sendable, CustomTestStringConvertible {
    let table: String
    let name: String
    let isInteger: Bool
    var condition = "1"

    var testDescription: String { "\(table).\(name)" }

    static let all = [
      Column(table: "account", name: "key", isInteger: false, condition: "length(key) > 0"),
      Column(table: "vault", name: "account", isInteger: true),
      Column(table: "vault", name: "purpose", isInteger: false),
      Column(table: "vault", name: "generation", isInteger: true),
      Column(table: "vault", name: "sealed", isInteger: false),
      Column(table: "account_lookup", name: "hash", isInteger: false),
      Column(table: "account_lookup", name: "account", isInteger: true),
      Column(table: "document", name: "name", isInteger: false),
      Column(table: "document", name: "sealed", isInteger: false),
      Column(table: "attempt", name: "session", isInteger: false),
      Column(table: "attempt", name: "key", isInteger: false),
      Column(table: "attempt", name: "sealed", isInteger: false),
      Column(table: "copy", name: "id", isInteger: false),
      Column(table: "copy", name: "place", isInteger: false),
    ]
  }

  @Test(arguments: Column.all)
  func `one flipped bit is found with the key, and changes nothing without it`(
    _ column: Column
  ) async throws {
    let book = try await Self.make()
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    var values: [[UInt8]] = []
    let rows = try connection.statement(
      "SELECT DISTINCT CAST(\(column.name) AS BLOB) FROM \(column.table) WHERE \(column.condition)")
    while try rows.step() { values.append(rows.bytes(0)) }
    rows.reset()
    try #require(!values.isEmpty)
    try connection.execute("CREATE TEMP TABLE kept AS SELECT * FROM main.\(column.table)")
    for (index, value) in values.enumerated() {
      // Of a text, the low bits alone: it stays one.
      let bits = column.isInteger ? Array(0..<40) : (0..<value.count).map { $0 * 8 + $0 % 5 }
      for bit in bits {
        try flip(bit, of: value, column, connection)
        let problems = try #require(try SealedCheck(book.reader(), hasWholeLog: true)).problems
        #expect(!problems.isEmpty, "value \(index), bit \(bit)")
        if bit == bits.first {
          #expect(try await !verdict(book).ok)
          #expect(try await book.verify().ok)
        }
        try connection.execute(
          """
          BEGIN; DELETE FROM main.\(column.table);
          INSERT INTO main.\(column.table) SELECT * FROM kept; COMMIT
          """)
      }
    }
    #expect(try await verdict(book).ok)
  }

  /// Changes all rows that have a value.
  private func flip(
    _ bit: Int, of value: [UInt8], _ column: Column, _ connection: Connection
  ) throws {
    let (old, new): (String, String)
    if column.isInteger {
      let number = try #require(Int64(String(decoding: value, as: UTF8.self)))
      (old, new) = ("\(number)", "\(number ^ (1 << Int64(bit)))")
    } else {
      var changed = value
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      let type = column.name == "purpose" ? "TEXT" : "BLOB"
      let texts = [value, changed].map { "CAST(x'\(Hex.encode($0))' AS \(type))" }
      (old, new) = (texts[0], texts[1])
    }
    try connection.execute(
      """
      UPDATE OR REPLACE main.\(column.table) SET \(column.name) = \(new)
      WHERE \(column.name) = \(old)
      """)
    try #require(try connection.integer("SELECT changes()") > 0)
  }

  @Test(arguments: [
    // Another account's, whole and unchanged.
    """
    UPDATE account SET key = (SELECT key FROM account AS other WHERE other.number = 3 - account.number)
    WHERE number < 3
    """,
    """
    UPDATE vault SET sealed = (
      SELECT sealed FROM vault AS other
      WHERE other.account = 3 - vault.account AND other.purpose = vault.purpose)
    WHERE account < 3 AND purpose = 'session'
    """,
    "UPDATE account_lookup SET account = 3 - account WHERE account < 3",
    "UPDATE account_lookup SET account = 99 WHERE account = 1",
    "DELETE FROM account_lookup WHERE account = 1",
    "INSERT INTO account_lookup VALUES (randomblob(32), 1)",
    "INSERT INTO account_lookup VALUES (randomblob(32), 99)",
    "UPDATE account SET key = NULL WHERE number = 1",
    "UPDATE account SET key = (SELECT key FROM account WHERE number = 1) WHERE key IS NULL",
    "INSERT INTO vault SELECT 99, purpose, generation, sealed FROM vault WHERE account = 1",
    "DELETE FROM vault WHERE purpose = 'session' AND account = 1",
    "DELETE FROM vault WHERE purpose = 'session'",
  ])
  func `moved, missing and added data is found`(
    _ change: String
  ) async throws {
    let book = try await Self.make()
    try book.tamper(change, keepingTriggers: true)
    let verdict = try await verdict(book)
    #expect(!verdict.ok)
    #expect(verdict.isVaultAtFault)
    #expect(try await book.verify().ok)
  }

  @Test func `an older state of a session's secret is found by its generation`() async throws {
    let book = try await Self.make()
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(
      "CREATE TEMP TABLE kept AS SELECT * FROM vault WHERE purpose = 'session' AND account = 1")
    let store = try await book.open()
    try await LivedBook.live(store, rounds: 13...13)
    await store.close()
    #expect(try await verdict(book).ok)
    try connection.execute("INSERT OR REPLACE INTO main.vault SELECT * FROM kept")
    let problems = try await verdict(book).problems
    #expect(problems.count == 1)
    #expect(problems.first?.contains("has generation 12, but the log has 13") == true)
  }

  @Test func `a missing secret is reported for each session that has not ended, and for no other`()
    async throws
  {
    let book = try await Self.make()
    try book.tamper("DELETE FROM vault WHERE purpose = 'session'", keepingTriggers: true)
    // One of four was erased, and one has logged out.
    let problems = try await verdict(book).problems
    #expect(problems.count == 2, "\(problems)")
    for (problem, account) in zip(problems, [TestBook.ada, TestBook.bob]) {
      #expect(problem.hasPrefix("The session secret of account \(account) is missing"))
    }
    let store = try await book.open()
    for account in [TestBook.ada, TestBook.bob] { _ = try await store.append(login(account)) }
    await store.close()
    #expect(try await verdict(book).ok)
  }

  @Test func `a secret that a recovery lost is no damage, also after an archive`()
    async throws
  {
    let book = try await Self.make()
    try book.tamper("DELETE FROM vault WHERE purpose = 'session'", keepingTriggers: true)
    let path = book.folder.file("recovered")
    let recovery = try await BookRecovery(
      path: book.path, program: TestBook.program, key: book.key
    ).recover(to: path)
    #expect(Set(recovery.withoutSecret) == [TestBook.ada, TestBook.bob])
    let store = try await EventStore.open(
      at: path, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    let archive = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    await store.close()
    for path in [path, archive.path] {
      let verdict = try await BookVerifier(path: path).verify(key: book.key)
      #expect(verdict.ok, "\(verdict.problems)")
      #expect(verdict.secrets?.hasComparedGenerations == false)
    }
  }

  @Test func `after an archive a missing secret is found`() async throws {
    let book = try await Self.make()
    let store = try await book.open()
    let archive = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    await store.close()
    for path in [book.path, archive.path] {
      let verdict = try await BookVerifier(path: path).verify(key: book.key)
      #expect(verdict.ok, "\(verdict.problems)")
    }
    try book.tamper("DELETE FROM vault WHERE purpose = 'session'", keepingTriggers: true)
    let verdict = try await verdict(book)
    #expect(verdict.isVaultAtFault)
    #expect(verdict.problems.count == 2, "\(verdict.problems)")
  }

  @Test func `an older book gets its lists with its next write, recorded as taken`() async throws {
    let book = try await Self.make()
    try book.tamper("DELETE FROM vault WHERE purpose = 'lookups'", keepingTriggers: true)
    let older = try #require(try await verdict(book).secrets)
    #expect((older.lists, older.unlisted) == (0, 3))
    // Nothing was changed as far as anybody can tell.
    #expect(try await verdict(book).ok)
    let store = try await book.open()
    _ = try await store.append(.note("a write"))
    await store.close()
    let now = try #require(try await verdict(book).secrets)
    #expect((now.lists, now.takenLists, now.unlisted) == (3, 3, 0))
    try book.tamper("DELETE FROM account_lookup WHERE account = 2", keepingTriggers: true)
    #expect(try await !verdict(book).ok)
    // A later login keeps what is known.
    let again = try await book.open()
    _ = try await again.append(login(TestBook.bob))
    await again.close()
    #expect(try await !verdict(book).ok)
  }

  @Test func `a list from before a login by an older version is not compared`() async throws {
    let book = try await Self.make()
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try connection.execute(
      "CREATE TEMP TABLE kept AS SELECT * FROM vault WHERE purpose = 'lookups' AND account = 1")
    let store = try await book.open()
    _ = try await store.append(login(TestBook.ada))
    await store.close()
    #expect(try await verdict(book).secrets?.unlisted == 0)
    try connection.execute("INSERT OR REPLACE INTO main.vault SELECT * FROM kept")
    try connection.execute("INSERT INTO account_lookup VALUES (randomblob(32), 1)")
    let verdict = try await verdict(book)
    #expect(verdict.ok, "\(verdict.problems)")
    #expect((verdict.secrets?.lists, verdict.secrets?.unlisted) == (2, 1))
    // The next login reads the list again, with the accounts that were added meanwhile.
    let again = try await book.open()
    _ = try await again.append(login(TestBook.ada))
    await again.close()
    let now = try await self.verdict(book)
    #expect(now.ok, "\(now.problems)")
    #expect((now.secrets?.takenLists, now.secrets?.unlisted) == (1, 0))
  }

  @Test func `a name that a login gives to another account moves from list to list`() async throws {
    let book = try await Self.make()
    let store = try await book.open()
    var append = login(TestBook.bob)
    append.lookups = [(account: TestBook.bob, hash: [UInt8](repeating: 7, count: 32))]
    _ = try await store.append(append)
    await store.close()
    let verdict = try await verdict(book)
    #expect(verdict.ok, "\(verdict.problems)")
  }

  @Test func `an erased account keeps no list`() async throws {
    let book = try await Self.make()
    let store = try await book.open()
    #expect(try store.makeReader().secretCount(of: TestBook.bob) == 2)
    _ = try await store.append(.erasing(TestBook.bob))
    await store.close()
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READONLY)
    #expect(try connection.integer("SELECT count(*) FROM vault WHERE account = 2") == 0)
    #expect(try await verdict(book).ok)
  }

  @Test func `a damaged key keeps no other account's list from being written`() async throws {
    let book = try await Self.make()
    try book.tamper(
      "DELETE FROM vault WHERE purpose = 'lookups'",
      "UPDATE account SET key = zeroblob(61) WHERE number = 1", keepingTriggers: true)
    let store = try await book.open()
    _ = try await store.append(login(TestBook.bob))
    await store.close()
    let secrets = try #require(try await verdict(book).secrets)
    #expect((secrets.keys, secrets.lists) == (2, 2))
  }

  @Test func `a recovered book reads its lists again`() async throws {
    let book = try await Self.make()
    let path = book.folder.file("recovered")
    _ = try await BookRecovery(path: book.path, program: TestBook.program, key: book.key)
      .recover(to: path)
    let recovered = try await BookVerifier(path: path).verify(key: book.key)
    #expect(recovered.ok, "\(recovered.problems)")
    #expect(recovered.secrets?.unlisted == 3)
    #expect(recovered.secrets?.hasComparedGenerations == false)
  }

  @Test func `a copy that was made before still agrees with itself`() async throws {
    let book = try await Self.make()
    let copy = book.folder.file("copy")
    let store = try await book.open()
    _ = try await store.backUp(
      to: copy, replacing: false, random: SystemRandom(), progress: { _, _ in })
    _ = try await store.append(login(TestBook.ada))
    await store.close()
    for path in [copy, book.path] {
      let verdict = try await BookVerifier(path: path).verify(key: book.key)
      #expect(verdict.ok, "\(verdict.problems)")
    }
  }

  /// Another login of the same account.
  private func login(_ account: AccountID) -> Append {
    var append = Append([
      ProposedEvent(
        .loginSucceeded, account: account, session: SessionID(high: 0x5E56, low: account.low),
        data: ["boot": 1000, "generation": 1, "method": "http", "server": "https://a.example"])
    ])
    append.vault = [.set(account, purpose: "session", generation: 1, content: [1])]
    return append
  }
}
