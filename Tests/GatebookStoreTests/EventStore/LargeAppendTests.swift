import CSQLite
import GatebookEvents
import Testing

@testable import GatebookStore

/// Appends whose events are encoded on a thread of their own.
struct LargeAppendTests {
  private static func events(_ count: Int) -> Append {
    Append(
      (0..<count).map { index in
        ProposedEvent(
          .cookiesChanged, account: index.isMultiple(of: 2) ? TestBook.ada : TestBook.bob,
          session: TestBook.session, cause: index == 0 ? .none : .proposed(index - 1),
          data: ["index": .integer(Int64(index))], personal: ["note": .text("personal \(index)")])
      })
  }

  @Test(arguments: [63, 64, 65, 96, 1000])
  func `each event is there, in its order, with its facts`(_ count: Int) async throws {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    let receipt = try await store.append(Self.events(count))
    #expect(receipt.count == count)
    let events = try book.reader().events(EventFilter()).filter { $0.position >= receipt.first }
    #expect(events.map(\.position) == (0..<count).map { receipt[$0] })
    #expect(events.map { $0.data["index"]?.integer } == (0..<count).map { Int64($0) })
    #expect(events.dropFirst().map(\.cause) == events.dropLast().map(\.position))
    #expect(
      events.map { $0.personal?.value?["note"]?.text } == (0..<count).map { "personal \($0)" })
    #expect(try await book.verify().ok)
    #expect(try book.sealedReader().checkProjections().ok)
    await store.close()
  }

  @Test func `an error in the middle leaves nothing, and the store continues`() async throws {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    let size = try book.sealedReader().head().size
    let other = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try other.execute(
      """
      CREATE TRIGGER refusal BEFORE INSERT ON event WHEN NEW.position = \(size + 500)
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """)
    await #expect(throws: GatebookError.self) { _ = try await store.append(Self.events(1000)) }
    #expect(try book.sealedReader().head().size == size)
    try other.execute("DROP TRIGGER refusal")
    #expect(try await store.append(Self.events(1000)).first.rawValue == size + 1)
    #expect(try await book.verify().ok)
    #expect(try book.sealedReader().checkProjections().ok)
    await store.close()
  }
}
