import FaultyDisk
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// Processes that are killed while they erase or copy.
@Suite struct CareCrashTests {
  private static let killed: Int32 = 9

  private static func prepared() async throws -> TestBook {
    var book = try TestBook(onDisk: true)
    book.key = KeyFile(path: book.folder.file("key"))
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    _ = try await store.append(.login(TestBook.bob, SessionID(high: 2, low: 2)))
    await store.close()
    return book
  }

  /// Commit 1 is the erase, commit 2 the note that it is wiped.
  @Test(arguments: CrashPoint.allCases, 0...1)
  func `a killed erase has happened or not, and the next process wipes it`(
    _ point: CrashPoint, _ commits: Int
  ) async throws {
    let book = try await Self.prepared()
    let key = try book.wrappedKey(of: TestBook.ada)
    let child = try ChildProcess.crashingWriter(
      "erase", book.path, book.folder.file("key"), point.rawValue, "\(commits)")
    let (lines, status) = child.finish()
    // Nothing is moved before the first commit; its caller has heard of it before the second.
    let isReached = point == .amidCheckpoint ? commits == 1 : point != .beforeAnswer || commits == 0
    if isReached { #expect(status == Self.killed, "\(lines)") }
    let reader = try book.reader()
    let isErased = try reader.isErased(TestBook.ada)
    if lines.contains("erased") || commits == 1 { #expect(isErased) }
    #expect(try reader.checkProjections().ok)
    #expect(try await book.verify().ok)
    let store = try await book.open()
    if isErased {
      #expect(try book.files(with: key).isEmpty)
      #expect(try book.reader().unwipedKeys() == 0)
    } else {
      #expect(try book.reader().context(of: TestBook.ada)?.loginName == .known("ada"))
      _ = try await store.append(.erasing(TestBook.ada))
      #expect(try await store.wipe())
      #expect(try book.files(with: key).isEmpty)
    }
    await store.close()
    #expect(try await book.verify().ok)
  }

  /// Commit 1 is the record that a copy is begun, commit 2 the one that it is whole; what is
  /// written in between is the copy's.
  @Test(arguments: CrashPoint.allCases, 0...1)
  func `a killed backup leaves no half file, and no copy that is not known`(
    _ point: CrashPoint, _ commits: Int
  ) async throws {
    let book = try await Self.prepared()
    // Its name begins with the book's, so that the faulty disk looks at it too.
    let path = book.path + ".copy"
    let child = try ChildProcess.crashingWriter(
      "backup", book.path, book.folder.file("key"), point.rawValue, "\(commits)", path)
    let (lines, status) = child.finish()
    let isReached = point != .amidCheckpoint || commits == 1
    if isReached, point != .beforeAnswer { #expect(status == Self.killed, "\(lines)") }
    let copies = try book.reader().copies()
    let files = try book.files(with: book.wrappedKey(of: TestBook.ada)).filter { $0 != "test.book" }
      .filter { !$0.hasSuffix("-wal") }
    #expect(files.isEmpty || copies.map(\.place) == [.known(path)])
    if FileBytes.exists(path) { #expect(try await BookVerifier(path: path).verify().ok) }
    let store = try await book.open()
    let copy = try await store.backUp(
      to: path, replacing: true, random: SystemRandom(), progress: { _, _ in })
    #expect(try book.reader().copies() == [copy])
    #expect(!FileBytes.exists(path + "-draft"))
    await store.close()
    #expect(try await BookVerifier(path: path).verify().ok)
    #expect(try await book.verify().ok)
  }
}
