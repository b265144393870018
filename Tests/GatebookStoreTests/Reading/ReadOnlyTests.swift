import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

/// Books that a reader may not write, read by a process that is not root.
@Suite struct ReadOnlyTests {
  private func read(_ book: TestBook) throws -> [String] {
    try ChildProcess.crashingWriter("read", book.path).finish().lines
  }

  private static let whole = "events 10 verified true accounts 2"

  @Test func `a file without its log, in a folder that cannot be written, is read`() async throws {
    let book = try await TestBook.written(events: 3)
    for ending in ["-wal", "-shm", "-lock"] { unlink(book.path + ending) }
    chmod(book.path, 0o444)
    chmod(book.folder.path, 0o555)
    #expect(try read(book) == [Self.whole, "writing storage.readOnly"])
    #expect(book.folder.names == ["test.book"])
    chmod(book.folder.path, 0o755)
  }

  @Test func `a file beside its log, in a folder that cannot be written, is read`() async throws {
    let book = try await TestBook.written(events: 3)
    for name in book.folder.names { chmod(book.folder.file(name), 0o444) }
    chmod(book.folder.path, 0o555)
    #expect(try read(book) == [Self.whole, "writing storage.readOnly"])
    chmod(book.folder.path, 0o755)
  }

  @Test func `events in a write-ahead log that cannot be written are read too`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    _ = try await store.append(.login(TestBook.bob, SessionID(high: 2, low: 2)))
    _ = try await store.append(Append((0..<3).map { _ in ProposedEvent(.clockObserved) }))
    #expect(try WALFile.commits(of: book.path) > 0)
    for name in book.folder.names { chmod(book.folder.file(name), 0o444) }
    chmod(book.folder.path, 0o555)
    #expect(try read(book) == [Self.whole, "writing storage.readOnly"])
    chmod(book.folder.path, 0o755)
    await store.close()
  }

  @Test func `a file that cannot be written, in a folder that can, is read`() async throws {
    let book = try await TestBook.written(events: 3)
    for ending in ["-wal", "-shm", "-lock"] { unlink(book.path + ending) }
    chmod(book.path, 0o444)
    chmod(book.folder.path, 0o777)
    #expect(try read(book) == [Self.whole, "writing storage.readOnly"])
  }

  @Test func `a file that cannot be read is unreadable, not gone`() async throws {
    let book = try await TestBook.written(events: 3)
    chmod(book.path, 0)
    chmod(book.folder.path, 0o755)
    #expect(try read(book) == ["error storage.unreadable"])
  }
}
