import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct AppendTests {
  @Test func `positions and revisions have no gaps, and receipts name them`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let login = try await store.append(.login(TestBook.ada, TestBook.session))
    #expect(login.first == Position(rawValue: 2))
    #expect(login.count == 3)
    #expect(login[1] == Position(rawValue: 3))
    #expect(login.last == Position(rawValue: 4))
    #expect(!login.isRepetition)
    for _ in 0..<10 {
      _ = try await store.append(.note())
      _ = try await store.append(
        Append([ProposedEvent(.sessionVerified, account: TestBook.ada, session: TestBook.session)])
      )
    }
    let events = try book.reader().events(EventFilter())
    #expect(events.map(\.position.rawValue) == Array(1...24))
    let own = events.filter { $0.account == nil }.map(\.revision)
    #expect(own == Array(1...11))
    #expect(events.filter { $0.account == TestBook.ada }.map(\.revision) == Array(1...13))
    #expect(try book.reader().head().size == 24)
  }

  @Test func `everything of a proposal is recorded`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    let id = EventID(high: 7, low: 8)
    let receipt = try await store.append(
      Append([
        ProposedEvent(
          .originAllowed, id: id, account: TestBook.ada, session: TestBook.session,
          cause: .recorded(Position(rawValue: 3)), data: ["host": "b.example", "port": 443],
          personal: ["who": "Ada"])
      ]))
    let event = try #require(try book.reader().event(at: receipt.first))
    #expect(event.id == id)
    #expect(event.account == TestBook.ada)
    #expect(event.session == TestBook.session)
    #expect(event.kind == "origin.allowed")
    #expect(event.version == 1)
    #expect(event.cause == Position(rawValue: 3))
    #expect(event.writer.program == TestBook.program)
    #expect(event.data == ["host": "b.example", "port": 443])
    #expect(event.personal == .known(["who": "Ada"]))
    #expect(event.at > StepClock.start)
  }

  @Test func `a program's name with a U+0000 is kept whole`() async throws {
    let book = try TestBook()
    let program = Program(
      name: "ma\u{0}il", version: "\u{0}", installation: TestBook.program.installation)
    for _ in 0..<2 {
      let store = try await book.open(program)
      _ = try await store.append(.note())
      await store.close()
    }
    let events = try book.reader().events(EventFilter())
    #expect(events.allSatisfy { $0.writer.program == program }, "\(events.map(\.writer))")
    #expect(try await book.verify().ok)
  }

  @Test func `ids made by the book are UUIDs of version 7 in the order of time`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    for _ in 0..<5 { _ = try await store.append(.note()) }
    let ids = try book.reader().events(EventFilter()).map(\.id)
    #expect(ids.allSatisfy { $0.high >> 12 & 0xF == 7 && $0.low >> 62 == 2 })
    #expect(ids.sorted() == ids)
    #expect(Set(ids).count == ids.count)
    #expect(Int64(ids[0].high >> 16) >= StepClock.start.rawValue / 1000)
  }

  @Test func `personal facts of the book's own stream are dropped`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let receipt = try await store.append(
      Append([ProposedEvent(.loginFailed, data: ["code": "x"], personal: ["name": "Ada"])]))
    #expect(try book.reader().event(at: receipt.first)?.personal == nil)
  }

  @Test func `an append that cannot be written whole leaves nothing`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let unknown = AccountID(high: 9, low: 9)
    let good = ProposedEvent(.clockObserved, data: ["a": 1])
    var nested: FactValue = 1
    for _ in 0..<16 { nested = .list([nested]) }
    let bad: [(ProposedEvent, FailureCode)] = [
      (ProposedEvent(.sessionVerified, account: unknown), .preconditionFailed),
      (ProposedEvent(.clockObserved, cause: .recorded(Position(rawValue: 2))), .preconditionFailed),
      (ProposedEvent(.clockObserved, cause: .recorded(.start)), .preconditionFailed),
      (ProposedEvent(.clockObserved, cause: .proposed(1)), .preconditionFailed),
      (ProposedEvent(.clockObserved, cause: .proposed(-1)), .preconditionFailed),
      (ProposedEvent(.clockObserved, data: ["deep": nested]), .limitExceeded),
    ]
    for (event, code) in bad {
      await expect(code) { () throws(GatebookError) in
        _ = try await store.append(Append([good, event]))
      }
    }
    var append = Append([good])
    append.vault = [.set(unknown, purpose: "p", generation: 1, content: [1])]
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(append)
    }
    append.vault = []
    append.lookups = [(account: unknown, hash: [UInt8](repeating: 1, count: 32))]
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(append)
    }
    #expect(try book.reader().head().size == 1)
    _ = try await store.append(Append([good]))
    #expect(try book.reader().head().size == 2)
    #expect(try await book.verify().ok)
  }

  @Test func `facts of sixteen levels can be read again`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    var nested: FactValue = 1
    for _ in 0..<14 { nested = .list([nested]) }
    let receipt = try await store.append(
      Append([ProposedEvent(.clockObserved, data: ["deep": nested])]))
    #expect(try book.reader().event(at: receipt.first)?.data["deep"] == nested)
  }

  @Test func `an account is made once, found by its hashes, and keeps its key`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let reader = try store.makeReader()
    let parts = ["user", "http", "https://a.example", "", "ada"]
    var append = Append.login(TestBook.ada, TestBook.session)
    append.newAccounts[0].lookups = [try reader.lookupHash(parts)]
    _ = try await store.append(append)
    #expect(try reader.account(named: parts) == TestBook.ada)
    #expect(try reader.account(named: ["user", "http", "https://a.example", "", "bob"]) == nil)
    // Concatenation must not make one person of two.
    #expect(try reader.account(named: ["user", "http", "https://a.example", "ada", ""]) == nil)

    var again = Append.login(TestBook.bob, SessionID(high: 2, low: 2))
    again.newAccounts[0].lookups = append.newAccounts[0].lookups
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(again)
    }
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(.login(TestBook.ada, TestBook.session))
    }
    // The refused second creation must not have replaced the key that encrypts from now on.
    _ = try await store.append(
      Append([
        ProposedEvent(.accountRenamed, account: TestBook.ada, personal: ["label": "work"])
      ]))
    #expect(try book.reader().accounts().map(\.label) == [.known("work")])
  }

  @Test func `a closed book takes nothing, and a copy of its file alone is whole`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    await store.close()
    await store.close()
    await expect(.storageUnreadable) { () throws(GatebookError) in
      _ = try await store.append(.note())
    }
    let copy = book.folder.file("copy.book")
    try FileBytes.copy(book.path, to: copy)
    #expect(try BookReader.open(at: copy).head().size == 4)
  }

  @Test func `a second open by the same program leaves no trace, another installation does`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open()
    await store.close()
    let again = try await book.open()
    await again.close()
    #expect(try book.sealedReader().head().size == 1)
    let other = try await book.open(
      Program(name: "tests", version: "1.0", installation: InstallationID(high: 3, low: 3)))
    await other.close()
    let events = try book.sealedReader().events(EventFilter())
    #expect(events.map(\.kind) == ["book.created", "book.opened"])
    #expect(events[1].data == ["keySource": "memory"])
  }
}
