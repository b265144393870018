import GatebookCrypto
import GatebookEvents
import Glibc
import Testing

@testable import GatebookStore

@Suite struct BookPathTests {
  @Test func `a link and what it leads to are one book, with one lock`() async throws {
    let book = try TestBook()
    let link = book.folder.file("link.book")
    let second = book.folder.file("second.book")
    #expect(symlink("test.book", link) == 0)
    #expect(symlink(link, second) == 0)
    // The book is made through the link: at first that leads to nothing.
    let store = try await EventStore.open(
      at: second, key: book.key, program: TestBook.program, clock: book.clock,
      random: SystemRandom(), wait: .seconds(10))
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    let held = try #require(try AccountLock.take(store.file, .account(1)))
    #expect(try AccountLock.take(BookFile(path: book.path), .account(1)) == nil)
    withExtendedLifetime(held) {}
    await store.close()
    let names = TemporaryFolder.names(in: book.folder.path)
    #expect(names.contains("test.book-lock"))
    #expect(
      !names.contains { $0.hasPrefix("link.book-") || $0.hasPrefix("second.book-") }, "\(names)")
    #expect(try BookReader.open(at: link, key: book.key).accounts().count == 1)
  }

  @Test func `no name of a file is a URI or the memory`() {
    #expect(BookFile(path: "file:x.book").path == "./file:x.book")
    #expect(BookFile(path: ":memory:").path == "./:memory:")
    #expect(BookFile(path: "x.book").path == "x.book")
    #expect(ReaderConnection.escape("//x/a book") == "////x/a%20book")
  }

  @Test func `a circle of links is no book`() async throws {
    let book = try TestBook()
    #expect(symlink("test.book", book.path) == 0)
    await expect(.storageUnreadable) { () throws(GatebookError) in _ = try book.reader() }
  }
}
