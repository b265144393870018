import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct SealingTests {
  @Test func `without its key a book shows that there is something, not what`() async throws {
    let book = try await TestBook.written(events: 4)
    let reader = try book.sealedReader()
    let account = try #require(try reader.context(of: TestBook.ada))
    #expect(account.loginName == .sealed)
    #expect(account.attributes == .sealed)
    #expect(account.state == .active)
    #expect(try reader.event(at: Position(rawValue: 2))?.personal == .sealed)
    #expect(try reader.event(at: Position(rawValue: 1))?.personal == nil)
    #expect(try reader.sessions().count == 2)
    #expect(try reader.checkProjections().ok)
    await expect(.keyMissing) { () throws(GatebookError) in _ = try reader.checkpoint() }
    await expect(.keyMissing) { () throws(GatebookError) in
      _ = try reader.secret(of: TestBook.ada, purpose: "session")
    }
    await expect(.keyMissing) { () throws(GatebookError) in
      _ = try reader.account(named: ["a"])
    }
    await expect(.keyMissing) { () throws(GatebookError) in
      _ = try reader.nameFingerprint(["a"])
    }
  }

  @Test func `a book moved without its key answers events, sessions and verify`() async throws {
    let book = try await TestBook.written(events: 9)
    let moved = try TemporaryFolder()
    try FileBytes.copy(book.path, to: moved.file("moved.book"))
    let reader = try BookReader.open(at: moved.file("moved.book"))
    #expect(try reader.events(EventFilter()).count == 16)
    #expect(try reader.sessions(of: TestBook.ada).map(\.state) == ["active"])
    #expect(try await BookVerifier(path: moved.file("moved.book")).verify().ok)
  }

  @Test func `a wrong key is distinguished from damage`() async throws {
    let book = try await TestBook.written(events: 1)
    let wrong = MemoryKey(bytes: [UInt8](repeating: 0x4C, count: 32))
    await expect(.keyWrong) { () throws(GatebookError) in
      _ = try BookReader.open(at: book.path, key: wrong)
    }
    try book.tamper("UPDATE account SET key = zeroblob(61)")
    // It keeps nobody from reading what it does not open.
    let reader = try book.reader()
    #expect(try reader.accounts().allSatisfy { $0.loginName == .lost })
    let problems = try reader.sealedProblems(hasWholeLog: true)
    #expect(try problems.count { $0.fault == .keyChanged } == reader.accounts().count)
    await expect(.storageDamaged) { () throws(GatebookError) in
      _ = try reader.secret(of: TestBook.ada, purpose: "session")
    }
  }

  @Test func `an erased account is forgotten, and nothing more is encrypted for it`() async throws {
    let book = try await TestBook.written(events: 4)
    let opened = try await book.open()
    try book.tamper("UPDATE account SET key = NULL WHERE number = 1", keepingTriggers: true)
    let reader = try book.reader()
    #expect(try reader.context(of: TestBook.ada)?.loginName == .forgotten)
    #expect(try reader.context(of: TestBook.bob)?.loginName == .known("ada"))
    #expect(try reader.secret(of: TestBook.ada, purpose: "session") == nil)
    #expect(try await book.verify().ok)
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await opened.append(
        Append([
          ProposedEvent(.clockObserved),
          ProposedEvent(.accountRenamed, account: TestBook.ada, personal: ["label": "x"]),
        ]))
    }
    #expect(try book.reader().head().size == 11)
  }

  @Test(arguments: [(2, 3), (12, 16), (2, 5)] as [(Int64, Int64)])
  func `encrypted bytes can be decrypted only in their place`(
    place: Int64, other: Int64
  ) async throws {
    // Another kind of event, another event of the same kind, the same event of another account.
    let book = try await TestBook.written(events: 9)
    try book.tamper(
      """
      UPDATE event SET sealed = (SELECT sealed FROM event WHERE position = \(other))
      WHERE position = \(place)
      """)
    let position = Position(rawValue: place)
    #expect(try book.reader().event(at: position)?.personal == .lost)
    #expect(try book.reader().changedEvents(among: [position]) == [position])
    #expect(try book.reader().event(at: Position(rawValue: other))?.personal?.value != nil)
  }

  @Test func `a secret opens only as what it was kept`() async throws {
    let book = try await TestBook.written(events: 0)
    let secret = Array("s3cret".utf8)
    #expect(try book.reader().secret(of: TestBook.ada, purpose: "session") == secret)
    #expect(try book.reader().secret(of: TestBook.ada, purpose: "other") == nil)
    for change in [
      "UPDATE vault SET generation = 2 WHERE account = 1 AND purpose = 'session'",
      """
      UPDATE vault SET sealed = (SELECT sealed FROM vault WHERE account = 2 AND purpose = 'session')
      WHERE account = 1 AND purpose = 'session'
      """,
      """
      UPDATE vault SET generation = 1, sealed = x'01' WHERE account = 1 AND purpose = 'session'
      """,
      // The list of what finds the account, in the secret's place.
      """
      DELETE FROM vault WHERE account = 1 AND purpose = 'session';
      UPDATE vault SET purpose = 'session' WHERE account = 1
      """,
    ] {
      let copy = try TestBook()
      try FileBytes.copy(book.path, to: copy.path)
      try copy.tamper(change)
      await expect(.storageDamaged) { () throws(GatebookError) in
        _ = try copy.reader().secret(of: TestBook.ada, purpose: "session")
      }
    }
  }

  @Test func `secrets change and go with their events`() async throws {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    var change = Append([ProposedEvent(.credentialsSaved, account: TestBook.ada)])
    change.vault = [
      .set(TestBook.ada, purpose: "session", generation: 2, content: [2]),
      .set(TestBook.ada, purpose: "login", generation: 1, content: []),
    ]
    _ = try await store.append(change)
    #expect(try book.reader().secret(of: TestBook.ada, purpose: "session") == [2])
    #expect(try book.reader().secret(of: TestBook.ada, purpose: "login") == [])
    change.precondition = .revision(TestBook.ada, 1)
    change.vault = [.remove(TestBook.ada, purpose: "session")]
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(change)
    }
    #expect(try book.reader().secret(of: TestBook.ada, purpose: "session") == [2])
    change.precondition = .none
    _ = try await store.append(change)
    #expect(try book.reader().secret(of: TestBook.ada, purpose: "session") == nil)
    #expect(try book.reader().secret(of: TestBook.bob, purpose: "session") != nil)
  }

  @Test func `equal facts are never encrypted to equal bytes`() async throws {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    for _ in 0..<8 {
      _ = try await store.append(
        Append([ProposedEvent(.accountRenamed, account: TestBook.ada, personal: ["label": "x"])]))
    }
    await store.close()
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    #expect(
      try connection.integer(
        "SELECT count(*) - count(DISTINCT substr(sealed, 2, 12)) FROM event WHERE sealed NOT NULL")
        == 0)
  }
}
