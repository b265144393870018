import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

@Suite struct KeyTests {
  private static func fileBook() async throws -> (TestBook, String) {
    var book = try TestBook()
    let key = book.folder.file("key")
    book.key = KeyFile(path: key)
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    await store.close()
    return (book, key)
  }

  private func expectClosed(_ book: TestBook, _ code: FailureCode) async throws {
    let before = try FileBytes.read(book.path)
    await expect(code) { () throws(GatebookError) in _ = try await book.open() }
    await expect(code) { () throws(GatebookError) in _ = try book.reader() }
    // What needs no key works all the same.
    #expect(try await book.verify().ok)
    #expect(try book.sealedReader().events(EventFilter()).count == 4)
    #expect(try FileBytes.read(book.path) == before)
  }

  @Test func `a key file is its owner's alone and opens the book again`() async throws {
    let (book, key) = try await Self.fileBook()
    var status = stat()
    #expect(stat(key, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(try FileBytes.read(key).count == 65)
    #expect(try book.reader().accounts()[0].user["firstName"] == "Ada")
    #expect(try book.sealedReader().keySource == "file")
  }

  @Test func `a key file that is gone is missing`() async throws {
    let (book, key) = try await Self.fileBook()
    unlink(key)
    try await expectClosed(book, .keyMissing)
    #expect(!FileBytes.exists(key), "no open may make a new key for an old book")
  }

  @Test(arguments: [0o604, 0o640, 0o644, 0o660, 0o601, 0o610] as [mode_t])
  func `a key file that others can use is not used`(mode: mode_t) async throws {
    let (book, key) = try await Self.fileBook()
    chmod(key, mode)
    try await expectClosed(book, .keyWrong)
  }

  @Test(
    arguments: [
      "", "\n", "00", String(repeating: "0", count: 63) + "\n",
      String(repeating: "0", count: 64) + "0\n", String(repeating: "g", count: 64) + "\n",
      String(repeating: "0", count: 64) + "\n",
    ])
  func `a file with another key or none is wrong`(content: String) async throws {
    let (book, key) = try await Self.fileBook()
    try FileBytes.write(Array(content.utf8), to: key)
    try await expectClosed(book, .keyWrong)
  }

  @Test func `a folder in the key's place is wrong`() async throws {
    let (book, key) = try await Self.fileBook()
    unlink(key)
    mkdir(key, 0o700)
    try await expectClosed(book, .keyWrong)
  }

  @Test func `a passphrase opens its book, another one does not`() async throws {
    var book = try TestBook()
    book.key = Passphrase { () throws(GatebookError) in Secret("correct horse") }
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    await store.close()
    #expect(try book.reader().accounts()[0].loginName == .known("ada"))
    for wrong in ["correct horse ", "Correct horse", ""] {
      book.key = Passphrase { () throws(GatebookError) in Secret(wrong) }
      await expect(.keyWrong) { () throws(GatebookError) in _ = try book.reader() }
    }
    book.key = AutomaticKey(folder: book.folder.file("keys"))
    await expect(.keyMissing) { () throws(GatebookError) in _ = try book.reader() }
    book.key = Passphrase { () throws(GatebookError) in
      throw GatebookError(.cancelled, "Nobody answered.", remedy: "Try again.")
    }
    await expect(.cancelled) { () throws(GatebookError) in _ = try book.reader() }
  }

  @Test(
    arguments: [
      "{}", #"{"blockSize":8,"cost":131072,"parallelism":1,"salt":"zz"}"#,
      #"{"blockSize":8,"cost":1099511627776,"parallelism":1,"salt":"00"}"#,
      #"{"blockSize":64,"cost":1048576,"parallelism":16,"salt":"00"}"#,
      #"{"blockSize":0,"cost":131072,"parallelism":1,"salt":"00"}"#,
      #"{"blockSize":8,"cost":-1,"parallelism":1,"salt":"00"}"#,
    ])
  func `a damaged description of a passphrase's key is damage`(parameters: String) throws {
    let description = KeyDescription(
      source: "passphrase",
      parameters: try #require(Facts(decoding: Array(parameters.utf8))))
    let source = Passphrase { () throws(GatebookError) in Secret("x") }
    #expect(throws: GatebookError(.storageDamaged, "", remedy: "")) {
      try source.open(description, of: BookID(high: 1, low: 1))
    }
  }

  @Test func `the automatic key is a file named after its book, found without a recorded path`()
    async throws
  {
    var book = try TestBook()
    let folder = book.folder.file("configuration/keys")
    book.key = AutomaticKey(folder: folder)
    let store = try await book.open()
    await store.close()
    let id = try book.sealedReader().id
    #expect(FileBytes.exists("\(folder)/\(id).key"))
    #expect(try book.reader().head().size == 1)
    let moved = book.folder.file("moved")
    #expect(rename(folder, moved) == 0)
    await expect(.keyMissing) { () throws(GatebookError) in _ = try book.reader() }
    book.key = AutomaticKey(folder: moved)
    #expect(try book.reader().head().size == 1)
  }

  @Test func `the automatic key follows a recorded path and knows no other source`() async throws {
    var (book, _) = try await Self.fileBook()
    book.key = AutomaticKey(folder: "/nowhere")
    #expect(try book.reader().head().size == 4)
    let other = try await TestBook.written(events: 0)
    await expect(.keyMissing) { () throws(GatebookError) in
      _ = try BookReader.open(at: other.path, key: AutomaticKey(folder: "/nowhere"))
    }
  }

  @Test func `defect 13: a key that cannot be kept makes no book, and says so`() async throws {
    var book = try TestBook()
    book.key = KeyFile(path: book.folder.file("no/such/folder/key"))
    await expect(.keyMissing) { () throws(GatebookError) in _ = try await book.open() }
    #expect(!FileBytes.exists(book.path))
  }
}
