internal import Glibc
internal import Testing

@testable internal import GatebookStore

/// Who holds a lock of a book, told by the holder itself: of a process that forbids to be looked
/// into the kernel tells nothing.
struct LockNoteTests {
  private func holder(_ book: TestBook, _ account: Int64) -> Int32? {
    LockNote.process(of: 1 << 32 + account, book.path + "-lock")
  }

  @Test func `a lock's note names its holder, as long as it is held`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    #expect(holder(book, 1) == nil)
    var lock = try AccountLock.take(store.file, .account(1))
    #expect(lock != nil)
    #expect(holder(book, 1) == getpid())
    #expect(AccountLock.holder(store.file, .account(1))?.process == getpid())
    // The same place of the file, another lock.
    #expect(holder(book, 1_025) == nil)
    lock = nil
    #expect(holder(book, 1) == nil)
    #expect(AccountLock.holder(store.file, .account(1)) == nil)
  }

  @Test func `a note of a process that is gone, or of another one with its id, says nothing`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open()
    let lock = try #require(try AccountLock.take(store.file, .account(2)))
    let descriptor = open(book.path + "-lock", O_RDWR | O_CLOEXEC)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    // Of the note: the lock's byte, the process, when it began.
    let place = off_t(4_096 + 24 * 2)
    for (field, value) in [(8, Int64(Int32.max)), (16, 1)] {
      var former: Int64 = 0
      var other = value
      #expect(pread(descriptor, &former, 8, place + off_t(field)) == 8)
      #expect(pwrite(descriptor, &other, 8, place + off_t(field)) == 8)
      #expect(holder(book, 2) == nil)
      #expect(pwrite(descriptor, &former, 8, place + off_t(field)) == 8)
      #expect(holder(book, 2) == getpid())
    }
    withExtendedLifetime(lock) {}
  }
}
