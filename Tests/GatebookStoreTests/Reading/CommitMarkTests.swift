import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

/// A connection's mark changes with each commit of anybody, and with nothing else.
@Suite struct CommitMarkTests {
  @Test func `reading leaves the mark as it is`() async throws {
    let reader = try await TestBook.written(events: 9).reader()
    let mark = try reader.commitMark()
    _ = try reader.accounts()
    _ = try reader.inSnapshot { () throws(GatebookError) in try reader.events(EventFilter()) }
    #expect(try reader.commitMark() == mark)
  }

  @Test func `each commit of another connection changes it, also while the log is reset`()
    async throws
  {
    let book = try await TestBook.written(events: 3)
    let reader = try book.reader()
    let store = try await book.open()
    let checkpoints = try Connection.open(book.path, flags: 2)
    var marks = [try reader.commitMark()]
    for number in 0..<40 {
      _ = try await store.append(.note("\(number)"))
      marks.append(try reader.commitMark())
      if number.isMultiple(of: 3) { try checkpoints.execute("PRAGMA wal_checkpoint(RESTART)") }
    }
    for (number, mark) in marks.enumerated() {
      guard case .header = mark else {
        Issue.record("The mark is not the header of the log's index: \(mark)")
        return
      }
      #expect(!marks[..<number].contains(mark), "The mark after \(number) commits came before.")
    }
    await store.close()
  }

  @Test func `a commit inside of a snapshot is seen by its mark`() async throws {
    let book = try await TestBook.written(events: 3)
    let reader = try book.reader()
    let store = try await book.open()
    let connection = reader.connection
    let mark = try reader.commitMark()
    try connection.execute("BEGIN")
    let size = try reader.head().size
    _ = try await store.append(.note())
    #expect(try reader.head().size == size)
    let within = try reader.commitMark()
    #expect(within != mark)
    #expect(try reader.commitMark() != within, "What is read here is older than it.")
    try connection.execute("COMMIT")
    #expect(try reader.commitMark() != within)
    #expect(try reader.commitMark() != mark)
    await store.close()
  }

  @Test func `a book that nobody can write has one mark`() async throws {
    let book = try await TestBook.written(events: 3)
    for ending in ["-wal", "-shm", "-lock"] { unlink(book.path + ending) }
    let connection = try Connection.open("file:\(book.path)?immutable=1", flags: 0x41)
    var marks = CommitMarks()
    _ = try connection.integer("SELECT count(*) FROM event")
    let mark = try marks.take(connection)
    guard case .version = mark else {
      Issue.record("An immutable book has no log: \(mark)")
      return
    }
    #expect(try marks.take(connection) == mark)
    #expect(book.folder.names == ["test.book"])
  }
}
