import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct SlowKeyTests {
  /// A key that a person is asked for: meanwhile somebody else must be able to write.
  private struct AskedKey: KeySource {
    let lockPath: String

    func make(
      for book: BookID, random: any RandomSource
    ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
      try MemoryKey().make(for: book, random: random)
    }

    func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret {
      let lock = try BookLock.open(lockPath)
      try lock.lockWriter(wait: .zero)
      lock.unlockWriter()
      return try MemoryKey().open(description, of: book)
    }
  }

  @Test func `while a key is asked for, others can write`() async throws {
    var book = try await TestBook.written(events: 1)
    book.key = AskedKey(lockPath: book.path + "-lock")
    let store = try await book.open()
    _ = try await store.append(.note())
    await store.close()
  }

  @Test func `a passphrase for a book with a key file is a wrong key, no damage`() async throws {
    var book = try TestBook()
    book.key = KeyFile(path: book.folder.file("key"))
    try await book.open().close()
    book.key = Passphrase { () throws(GatebookError) in Secret("words") }
    let asked = book
    let error = await expect(.keyWrong) { () throws(GatebookError) in _ = try asked.reader() }
    #expect(error?.remedy.contains("file") == true)
  }
}
