import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct EraseTests {
  @Test func `an erased account's key is in no file, and its history is whole`() async throws {
    let book = try await TestBook.written()
    let key = try book.wrappedKey(of: TestBook.ada)
    #expect(try book.files(with: key) == ["test.book"])
    let store = try await book.open()
    let before = try store.makeReader().events(EventFilter()).count
    _ = try await store.append(.erasing(TestBook.ada))
    #expect(try await store.wipe())
    #expect(try book.files(with: key).isEmpty)
    #expect(try book.files(with: book.wrappedKey(of: TestBook.bob)) == ["test.book"])
    await store.close()
    #expect(try book.files(with: key).isEmpty)
    let verdict = try await book.verify()
    #expect(verdict.ok, "\(verdict.problems)")
    let reader = try book.reader()
    #expect(try reader.checkProjections().ok)
    #expect(try reader.unwipedKeys() == 0)
    let events = try reader.events(EventFilter())
    #expect(events.count == before + 1)
    #expect(
      events.allSatisfy { $0.account != TestBook.ada || [nil, .forgotten].contains($0.personal) })
    let context = try #require(try reader.context(of: TestBook.ada))
    #expect(context.state == .ended(.erased))
    #expect(context.loginName == .forgotten)
    #expect(context.attributes == .forgotten)
    #expect(try reader.secret(of: TestBook.ada, purpose: "session") == nil)
    #expect(try reader.context(of: TestBook.bob)?.loginName == .known("ada"))
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    for table in ["vault", "account_lookup"] {
      #expect(
        try connection.integer("SELECT count(*) FROM \(table) WHERE account = 1") == 0, "\(table)")
    }
  }

  @Test func `a key that is gone without an erase is found, and one that an erase has left`()
    async throws
  {
    let book = try await TestBook.written()
    let key = try book.wrappedKey(of: TestBook.ada)
    let store = try await book.open()
    _ = try await store.append(.erasing(TestBook.ada))
    await store.close()
    #expect(try book.sealedReader().accountsWithoutKey() == [])
    #expect(try book.sealedReader().erasedAccountsWithKey() == [])
    try book.tamper(
      "UPDATE account SET key = x'\(Hex.encode(key))' WHERE number = 1",
      "UPDATE account SET key = NULL WHERE number = 2", keepingTriggers: true)
    #expect(try book.sealedReader().accountsWithoutKey() == [TestBook.bob])
    #expect(try book.sealedReader().erasedAccountsWithKey() == [TestBook.ada])
    // A recovery leaves neither.
    let path = book.folder.file("new.book")
    let recovery = try await BookRecovery(path: book.path, program: TestBook.program)
      .recover(to: path)
    #expect(recovery.withoutKey == [TestBook.bob])
    let new = try BookReader.open(at: path)
    #expect(try new.accountsWithoutKey() == [])
    #expect(try new.erasedAccountsWithKey() == [])
    #expect(try FileBytes.read(path).firstRange(of: key) == nil)
  }

  @Test func `of very many accounts none leaves its key on a page`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let accounts = (1...400).map { AccountID(high: 0xE2A5E, low: UInt64($0)) }
    for account in accounts {
      var append = Append([ProposedEvent(.accountAdded, account: account)])
      append.newAccounts = [
        .init(id: account, lookups: [try store.makeReader().lookupHash([account.description])])
      ]
      _ = try await store.append(append)
    }
    let erased = accounts.filter { $0.low % 3 == 0 }
    var keys: [[UInt8]] = []
    for account in erased {
      keys.append(try book.wrappedKey(of: account))
      _ = try await store.append(.erasing(account))
    }
    #expect(try await store.wipe())
    await store.close()
    let file = try FileBytes.read(book.path)
    for key in keys { #expect(!file.holds(key)) }
    #expect(try await book.verify().ok)
  }

  @Test func `nothing is added to an erased account`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    _ = try await store.append(.about(TestBook.ada))
    _ = try await store.append(.erasing(TestBook.ada))
    var late: [Append] = [
      .about(TestBook.ada), .erasing(TestBook.ada),
      Append([ProposedEvent(.sessionVerified, account: TestBook.ada, session: TestBook.session)]),
      Append(
        [ProposedEvent(.sessionVerified, account: TestBook.ada)],
        precondition: .generation(TestBook.ada, TestBook.session, 1)),
      Append([], precondition: .revision(TestBook.ada, 3)),
    ]
    for change: Append.VaultChange in [
      .set(TestBook.ada, purpose: "session", generation: 2, content: [1]),
      .remove(TestBook.ada, purpose: "session"),
    ] {
      var append = Append([])
      append.vault = [change]
      late.append(append)
    }
    for append in late {
      let error = await expect(.preconditionFailed) { () throws(GatebookError) in
        _ = try await store.append(append)
      }
      #expect(error?.isFinal == true)
    }
    _ = try await store.append(.about(TestBook.bob))
    await store.close()
    #expect(try await book.verify().ok)
  }

  @Test func `a store that holds the key encrypts nothing after another one erased it`()
    async throws
  {
    let book = try await TestBook.written()
    let (first, second) = (try await book.open(), try await book.open())
    _ = try await first.append(.about(TestBook.ada))
    let reader = try first.makeReader()
    #expect(try reader.context(of: TestBook.ada)?.label == .known("fact"))
    _ = try await second.append(.erasing(TestBook.ada))
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await first.append(.about(TestBook.ada, "late"))
    }
    #expect(try reader.context(of: TestBook.ada)?.label == .forgotten)
    await first.close()
    await second.close()
  }

  @Test func `an erase that was refused leaves the account as it was`() async throws {
    let book = try await TestBook.written()
    let store = try await book.open()
    var append = Append.erasing(TestBook.ada)
    append.precondition = .revision(TestBook.ada, 1)
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(append)
    }
    _ = try await store.append(.about(TestBook.ada))
    #expect(try store.makeReader().context(of: TestBook.ada)?.label == .known("fact"))
    await store.close()
  }

  @Test func `a reader holds the wipe up, and the next who writes does it`() async throws {
    let book = try await TestBook.written()
    let key = try book.wrappedKey(of: TestBook.ada)
    let store = try await book.open()
    // The key's page moves to the WAL, where a reader keeps it.
    _ = try await store.append(.login(AccountID(high: 0xE7E, low: 1), SessionID(high: 1, low: 1)))
    let reader = try ReaderConnection.open(BookFile(path: book.path))
    try reader.execute("BEGIN")
    #expect(try reader.integer("SELECT count(*) FROM account") == 3)
    _ = try await store.append(.erasing(TestBook.ada))
    #expect(try await !store.wipe())
    #expect(try book.reader().unwipedKeys() == 1)
    #expect(try !book.files(with: key).isEmpty)
    await store.close()
    #expect(try book.reader().unwipedKeys() == 1)
    try reader.execute("COMMIT")
    let next = try await book.open()
    #expect(try book.files(with: key).isEmpty)
    #expect(try book.reader().unwipedKeys() == 0)
    await next.close()
    // What is closed is whole in its file alone.
    #expect(try FileBytes.read(book.path + "-wal").isEmpty)
  }

  @Test func `a store that closes wipes what was left`() async throws {
    let book = try await TestBook.written()
    let key = try book.wrappedKey(of: TestBook.ada)
    let store = try await book.open()
    _ = try await store.append(.login(AccountID(high: 0xE7E, low: 1), SessionID(high: 1, low: 1)))
    _ = try await store.append(.erasing(TestBook.ada))
    await store.close()
    #expect(try book.files(with: key).isEmpty)
    #expect(try book.reader().unwipedKeys() == 0)
    #expect(try FileBytes.read(book.path + "-wal").isEmpty)
  }

  @Test func `a new login of an erased user makes a new account`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let hash = try store.makeReader().lookupHash(["user", "ada"])
    var login = Append.login(TestBook.ada, TestBook.session)
    login.newAccounts[0].lookups = [hash]
    _ = try await store.append(login)
    _ = try await store.append(.erasing(TestBook.ada))
    #expect(try store.makeReader().account(named: ["user", "ada"]) == nil)
    var again = Append.login(TestBook.bob, SessionID(high: 2, low: 2))
    again.newAccounts[0].lookups = [hash]
    _ = try await store.append(again)
    #expect(try store.makeReader().account(named: ["user", "ada"]) == TestBook.bob)
    await store.close()
    #expect(try book.reader().checkProjections().ok)
  }
}
