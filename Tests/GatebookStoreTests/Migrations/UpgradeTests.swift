import GatebookEvents
import GatebookMigrations
import Testing

@testable import GatebookStore

@Suite struct UpgradeTests {
  /// A book as the first migration made it.
  private func olderBook() async throws -> TestBook {
    let book = try await TestBook.written(events: 3)
    for statement in RollupBook.older + ["DROP TABLE attempt", "PRAGMA user_version = 1"] {
      try book.tamper(statement)
    }
    return book
  }

  @Test func `an older book is brought up to date and says so`() async throws {
    let book = try await olderBook()
    let store = try await book.open()
    let reader = try store.makeReader()
    var filter = EventFilter()
    filter.kind = EventKind.bookMigrated.rawValue
    let events = try reader.events(filter)
    #expect(events.count == 1)
    #expect(events.first?.data["from"]?.integer == 1)
    #expect(events.first?.data["schema"]?.integer == Int64(migrations.count))
    #expect(try reader.attempts().isEmpty)
    await store.close()
    #expect(try await book.verify().ok)
  }

  @Test func `an older book can be read without being changed`() async throws {
    let book = try await olderBook()
    let before = try FileBytes.read(book.path)
    let reader = try book.reader()
    #expect(try reader.attempts().isEmpty)
    #expect(try FileBytes.read(book.path) == before)
  }

  @Test func `an attempt is kept encrypted, found again and ends once`() async throws {
    let book = try await TestBook.written(events: 1)
    let store = try await book.open()
    let session = SessionID(high: 7, low: 9)
    let canary = Array("the verifier of this login".utf8)
    var keeping = Append([])
    keeping.vault = [
      .keepAttempt(session, deadline: Timestamp(rawValue: 5), content: canary)
    ]
    _ = try await store.append(keeping)
    let reader = try store.makeReader()
    #expect(try reader.attempts().map(\.content) == [canary])
    #expect(try reader.attempts().map(\.session) == [session])
    var ending = Append([])
    ending.vault = [.endAttempt(session)]
    _ = try await store.append(ending)
    #expect(try reader.attempts().isEmpty)
    await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(ending)
    }
    await store.close()
    for path in [book.path, book.path + "-wal"] {
      let bytes = (try? FileBytes.read(path)) ?? []
      #expect(bytes.firstRange(of: canary) == nil)
    }
  }
}
