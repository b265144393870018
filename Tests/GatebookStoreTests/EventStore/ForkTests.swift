import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct ForkTests {
  @Test func `a book that came by fork refuses every call, and the parent's keeps working`()
    async throws
  {
    var book = try TestBook()
    let key = book.folder.file("key")
    book.key = KeyFile(path: key)
    let store = try await book.open()
    await store.close()
    let child = try ChildProcess.crashingWriter("fork", book.path, key)
    let (lines, status) = child.finish()
    #expect(status == 0)
    #expect(lines == ["reader storage.forked", "store storage.forked", "parent wrote"])
    #expect(try await book.verify().ok)
  }
}
