import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct IdempotencyTests {
  private static let first = EventID(high: 1, low: 1)
  private static let second = EventID(high: 1, low: 2)

  private static func pair() -> Append {
    Append([
      ProposedEvent(
        .attributesChanged, id: first, account: TestBook.ada, session: TestBook.session,
        data: ["keys": .list(["a"])], personal: ["attributes": .object(["a": "b"])]),
      ProposedEvent(
        .sessionVerified, id: second, account: TestBook.ada, session: TestBook.session,
        cause: .proposed(0)),
    ])
  }

  private func store() async throws -> (TestBook, EventStore) {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    return (book, store)
  }

  @Test func `the same append again changes nothing and brings the first receipt`() async throws {
    let (book, store) = try await store()
    let receipt = try await store.append(Self.pair())
    _ = try await store.append(.note())
    let size = try book.reader().head().size
    let again = try await store.append(Self.pair())
    #expect(again.isRepetition)
    #expect(again.first == receipt.first)
    #expect(again.count == 2)
    #expect(try book.reader().head().size == size)
  }

  @Test func `it is recognised by another process, and after later changes of the stream`()
    async throws
  {
    let (book, store) = try await store()
    let receipt = try await store.append(Self.pair())
    await store.close()
    let other = try await book.open()
    var again = Self.pair()
    // A condition that held then need not hold now: the append is in the book.
    again.precondition = .revision(TestBook.ada, 3)
    #expect(try await other.append(again).first == receipt.first)
  }

  @Test func `one id is enough to recognise an append`() async throws {
    let (_, store) = try await store()
    var append = Self.pair()
    append.events[0].id = nil
    let receipt = try await store.append(append)
    #expect(try await store.append(append).first == receipt.first)
  }

  private static let changes: [@Sendable (inout Append) -> Void] = [
    { $0.events[0].kind = .cookiesChanged },
    { $0.events[0].account = TestBook.bob },
    { $0.events[0].account = nil },
    { $0.events[0].session = nil },
    { $0.events[0].session = SessionID(high: 1, low: 1) },
    { $0.events[0].cause = .recorded(Position(rawValue: 2)) },
    { $0.events[0].data = ["keys": .list(["b"])] },
    { $0.events[0].data = [:] },
    { $0.events[0].personal = ["attributes": .object(["a": "c"])] },
    { $0.events[0].personal = nil },
    { $0.events[1].personal = ["more": 1] },
    { $0.events[1].id = EventID(high: 1, low: 3) },
    { $0.events[0].id = EventID(high: 1, low: 3) },
    { $0.events[1].cause = .none },
    { $0.events.swapAt(0, 1) },
    { $0.events.append(ProposedEvent(.clockObserved)) },
    { $0.events.removeFirst() },
    { $0.events.insert(ProposedEvent(.clockObserved), at: 0) },
  ]

  @Test(arguments: 0..<changes.count)
  func `a known id with other content is refused`(index: Int) async throws {
    let (book, store) = try await store()
    _ = try await store.append(.login(TestBook.bob, SessionID(high: 9, low: 9)))
    _ = try await store.append(Self.pair())
    let size = try book.reader().head().size
    var changed = Self.pair()
    Self.changes[index](&changed)
    await expect(.storageIDReused) { () throws(GatebookError) in
      _ = try await store.append(changed)
    }
    #expect(try book.reader().head().size == size)
    _ = try await store.append(.note())
  }

  @Test func `an id twice in one append is refused`() async throws {
    let (book, store) = try await store()
    await expect(.storageIDReused) { () throws(GatebookError) in
      _ = try await store.append(
        Append([
          ProposedEvent(.clockObserved, id: Self.first),
          ProposedEvent(.clockObserved, id: Self.first),
        ]))
    }
    #expect(try book.reader().head().size == 4)
  }
}
