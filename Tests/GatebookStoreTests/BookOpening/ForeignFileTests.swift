import CSQLite
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct ForeignFileTests {
  /// Expects that neither writer nor reader nor verifier takes the file, and that it stays as it
  /// is.
  private func expectRefusal(
    of book: TestBook, _ code: FailureCode, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let before = try FileBytes.read(book.path)
    await expect(code, sourceLocation: sourceLocation) { () throws(GatebookError) in
      _ = try await book.open()
    }
    await expect(code, sourceLocation: sourceLocation) { () throws(GatebookError) in
      _ = try book.sealedReader()
    }
    await expect(code, sourceLocation: sourceLocation) { () throws(GatebookError) in
      _ = try await book.verify()
    }
    let isSame = try FileBytes.read(book.path) == before
    #expect(isSame, sourceLocation: sourceLocation)
    for ending in ["-wal", "-journal"] where FileBytes.exists(book.path + ending) {
      let side = try FileBytes.read(book.path + ending)
      #expect(side.isEmpty, "\(ending)", sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: ["x", "hello, world: this is no database at all", "SQLite format 4\0......"])
  func `a file that is not SQLite is refused as it is`(text: String) async throws {
    let book = try TestBook()
    try FileBytes.write(Array(text.utf8), to: book.path)
    try await expectRefusal(of: book, .storageDamaged)
  }

  @Test func `a database of another program is refused as it is`() async throws {
    let book = try TestBook()
    do {
      let connection = try Connection.open(
        book.path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      try connection.execute("CREATE TABLE event (position INTEGER PRIMARY KEY)")
    }
    try await expectRefusal(of: book, .storageDamaged)
  }

  @Test func `a book of a newer version is refused unharmed`() async throws {
    let book = try await TestBook.written(events: 2)
    try book.tamper("PRAGMA user_version = 99")
    try await expectRefusal(of: book, .storageNewer)
  }

  @Test func `a book of no version is damage`() async throws {
    let book = try await TestBook.written(events: 2)
    try book.tamper("PRAGMA user_version = 0")
    try await expectRefusal(of: book, .storageDamaged)
  }

  @Test func `a book that was cut to nothing is damage, never a new book`() async throws {
    let book = try await TestBook.written(events: 2)
    try FileBytes.write([], to: book.path)
    try await expectRefusal(of: book, .storageDamaged)
  }

  @Test func `a book whose log was lost before it was moved is damage, never a new book`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.note())
    // Everything is still in the WAL; the file itself is an empty database.
    let copy = try TestBook()
    try FileBytes.copy(book.path, to: copy.path)
    try FileBytes.copy(book.path + "-lock", to: copy.path + "-lock")
    try await expectRefusal(of: copy, .storageDamaged)
    await store.close()
  }

  @Test func `a folder is no book`() async throws {
    let folder = try TemporaryFolder()
    await expect(.storageUnreadable) { () throws(GatebookError) in
      _ = try BookReader.open(at: folder.path)
    }
  }

  @Test func `where there is no book none is made by reading`() async throws {
    let book = try TestBook()
    await expect(.storageNone) { () throws(GatebookError) in _ = try book.sealedReader() }
    await expect(.storageNone) { () throws(GatebookError) in _ = try await book.verify() }
    #expect(book.folder.names.isEmpty)
  }
}
