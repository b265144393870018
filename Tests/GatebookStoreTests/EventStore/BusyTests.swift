import CSQLite
import GatebookEvents
import GatebookSystem
import Glibc
import Testing

@testable import GatebookStore

@Suite struct BusyTests {
  @Test func `past its patience a caller hears that the book is busy`() async throws {
    let book = try TestBook()
    let patient = try await book.open()
    let store = try await book.open(wait: .milliseconds(20))
    let lock = try BookLock.open(book.path + "-lock")
    #expect(lock.tryLockWriter())
    let error = await expect(.storageBusy) { () throws(GatebookError) in
      _ = try await store.append(.note())
    }
    #expect(error?.kept == "Nothing was changed.")
    await expect(.storageBusy) { () throws(GatebookError) in _ = try await book.open(wait: .zero) }
    // Readers do not wait for writers.
    #expect(try book.reader().head().size == 1)
    lock.unlockWriter()
    #expect(try await patient.append(.note()).first == Position(rawValue: 2))
  }

  @Test func `who is cancelled waits for other writers no longer, and nothing is recorded`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open(wait: .seconds(3600))
    let path = book.path + "-lock"
    let lock = try BookLock.open(path)
    let watch = try #require(OpenFile.open(path, .update))
    #expect(lock.tryLockWriter())
    var append = Append.note()
    append.mayBeGivenUp = true
    let wanted = append
    let waiting = Task { () -> FailureCode? in
      do throws(GatebookError) {
        _ = try await store.append(wanted)
        return nil
      } catch {
        return error.code
      }
    }
    while !watch.isLocked(0) { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    lock.unlockWriter()
    #expect(try book.reader().head().size == 1)
    _ = try await store.append(.note())
    #expect(try book.reader().head().size == 2)
  }

  @Test func `what has happened is recorded, though its caller is cancelled`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let recording = Task { () -> FailureCode? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(GatebookError) {
        _ = try await store.append(.note())
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await recording.value == nil)
    #expect(try book.reader().head().size == 2)
  }

  @Test func `who is cancelled does not wait for a writer without the lock`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let other = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try other.execute("BEGIN IMMEDIATE")
    var append = Append.note()
    append.mayBeGivenUp = true
    let wanted = append
    let isReady = AsyncStream.makeStream(of: Void.self)
    let waiting = Task { () -> FailureCode? in
      isReady.continuation.finish()
      do throws(GatebookError) {
        _ = try await store.append(wanted)
        return nil
      } catch {
        return error.code
      }
    }
    for await _ in isReady.stream {}
    waiting.cancel()
    #expect(await waiting.value == .cancelled)
    try other.execute("ROLLBACK")
    #expect(try book.reader().head().size == 1)
  }

  @Test func `a wait that was given up does not let two writers in later`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lock")
    let holder = try BookLock.open(path)
    let waiter = try BookLock.open(path)
    let third = try BookLock.open(path)
    try holder.lockWriter(wait: .seconds(10))
    for _ in 0..<20 {
      await expect(.storageBusy) { () throws(GatebookError) in
        try waiter.lockWriter(wait: .milliseconds(1))
      }
    }
    // The thread that still waits holds the turnstile: nobody overtakes it.
    #expect(!third.tryLockWriter())
    holder.unlockWriter()
    // What it gets now, it gives back at once, and everybody can have the lock again.
    try third.lockWriter(wait: .seconds(10))
    #expect(!waiter.tryLockWriter())
    #expect(!holder.tryLockWriter())
    await expect(.storageBusy) { () throws(GatebookError) in
      try waiter.lockWriter(wait: .milliseconds(1))
    }
    third.unlockWriter()
    try waiter.lockWriter(wait: .seconds(10))
    #expect(!third.tryLockWriter())
    #expect(!holder.tryLockWriter())
    waiter.unlockWriter()
  }

  @Test func `a caller who waits again keeps the place in the queue`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("lock")
    let holder = try BookLock.open(path)
    let waiter = try BookLock.open(path)
    try holder.lockWriter(wait: .seconds(10))
    #expect(throws: GatebookError.self) { try waiter.lockWriter(wait: .milliseconds(1)) }
    // The turnstile is the waiter's: the holder cannot take the lock twice in a row.
    holder.unlockWriter()
    try waiter.lockWriter(wait: .seconds(10))
    #expect(!holder.tryLockWriter())
    waiter.unlockWriter()
  }

  @Test func `a caller who gave up does not take the turnstile from its own waiting thread`()
    async throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("lock")
    let holder = try BookLock.open(path)
    let waiter = try BookLock.open(path)
    let outsider = try #require(OpenFile.open(path, .update))
    try holder.lockWriter(wait: .seconds(10))
    // A caller may give up before its thread came to wait: then the next one tries.
    repeat {
      outsider.unlock(0)
      #expect(throws: GatebookError.self) { try waiter.lockWriter(wait: .milliseconds(5)) }
    } while outsider.lock(0)
    #expect(!waiter.tryLockWriter())
    #expect(!outsider.lock(0), "the place in the queue is lost")
    holder.unlockWriter()
  }

  @Test func `a patience without end is no trap`() throws {
    let folder = try TemporaryFolder()
    let lock = try BookLock.open(folder.file("lock"))
    let other = try BookLock.open(folder.file("lock"))
    try lock.lockWriter(wait: .seconds(Int64.max))
    #expect(throws: GatebookError.self) { try other.lockWriter(wait: .seconds(-1)) }
    lock.unlockWriter()
    try other.lockWriter(wait: .seconds(Int64.max))
    other.unlockWriter()
  }

  @Test func `an account's renewal is locked apart from other accounts and from writing`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    _ = try await store.append(.login(TestBook.bob, SessionID(high: 1, low: 1)))
    let reader = try store.makeReader()
    var lock = try reader.takeLock(of: TestBook.ada)
    #expect(lock != nil)
    #expect(try reader.takeLock(of: TestBook.ada) == nil)
    #expect(try reader.takeLock(of: TestBook.bob) != nil)
    #expect(try reader.takeLock(of: AccountID(high: 0, low: 0)) == nil)
    _ = try await store.append(.note())
    lock = nil
    #expect(try reader.takeLock(of: TestBook.ada) != nil)
  }

  @Test func `an account's lock is released although a forked child has its descriptor still`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    let reader = try store.makeReader()
    var lock = try reader.takeLock(of: TestBook.ada)
    #expect(lock != nil)
    // A copy shares the lock, as that of a child does.
    let copies = Self.descriptors(of: book.path + "-lock").map { dup($0) }
    defer { for copy in copies { close(copy) } }
    try #require(!copies.isEmpty)
    lock = nil
    #expect(try reader.takeLock(of: TestBook.ada) != nil)
  }

  /// The descriptors of this process that are open for a file.
  private static func descriptors(of path: String) -> [Int32] {
    (0..<4096).filter { descriptor in
      var target = [CChar](repeating: 0, count: 4096)
      let count = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
      return count > 0
        && String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
          == path
    }
  }
}
