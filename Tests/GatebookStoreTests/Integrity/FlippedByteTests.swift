import CSQLite
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

/// One changed byte, at every place of a book, one after the other.
@Suite struct FlippedByteTests {
  /// All that a reader tells without a key.
  private struct Content: Equatable {
    var events: [RecordedEvent]
    var accounts: [SessionContext]
    var sessions: [SessionSummary]
    var current: AccountID?

    init(_ reader: BookReader) throws(GatebookError) {
      events = try reader.events(EventFilter())
      accounts = try reader.accounts()
      sessions = try reader.sessions()
      current = try reader.current()
    }
  }

  @Test func `every flip is an error, a verdict, or changes nothing that is read`() async throws {
    let book = try await TestBook.written(events: 1)
    // Small pages make a small file: each place costs an open and a verification.
    try book.tamper(
      "PRAGMA journal_mode = DELETE", "PRAGMA page_size = 512", "VACUUM",
      "PRAGMA journal_mode = WAL", keepingTriggers: true)
    let bytes = try FileBytes.read(book.path)
    #expect(try await book.verify().ok)
    let content = try Content(book.sealedReader())
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          do {
            let copy = try TestBook()
            try FileBytes.write(bytes, to: copy.path)
            for index in stride(from: worker, to: bytes.count, by: 4) {
              try await Self.flip(index, bytes[index], of: copy, content)
            }
          } catch {
            Issue.record(error)
          }
        }
      }
    }
  }

  private static func flip(
    _ index: Int, _ byte: UInt8, of book: TestBook, _ content: Content
  ) async throws {
    let descriptor = open(book.path, O_WRONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var flipped = byte ^ 1 << UInt8(index % 8)
    var original = byte
    try #require(pwrite(descriptor, &flipped, 1, index) == 1)
    let problem = await check(book, content, isThorough: index % 32 == 0)
    try #require(pwrite(descriptor, &original, 1, index) == 1)
    if let problem { Issue.record("byte \(index): \(problem)") }
  }

  /// What is wrong with the way in which a damaged book behaves.
  ///
  /// A flip that changes nothing that is read needs no verdict. Some are verified all the same,
  /// because verification must never trap.
  private static func check(
    _ book: TestBook, _ content: Content, isThorough: Bool
  ) async -> String? {
    do throws(GatebookError) {
      let reader = try book.sealedReader()
      let isSame = try Content(reader) == content
      if isSame, !isThorough { return nil }
      let isWhole = try await book.verify().ok
      let isRebuilt = try reader.checkProjections().ok
      return isSame || !isWhole || !isRebuilt ? nil : "other content, and nobody says so"
    } catch {
      return error.code.rawValue.hasPrefix("storage.") ? nil : "\(error)"
    }
  }
}
