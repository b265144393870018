import CSQLite
import GatebookCrypto
import GatebookEvents
import GatebookSystem
import Testing

@testable import GatebookStore

/// An append that nothing makes wait is committed on the thread of its caller.
@Suite struct CommitAtOnceTests {
  /// Notes the threads that ask for the time: those that commit.
  private final class NotingClock: BookClock {
    let threads = Locked<[UInt]>([])

    func now() -> Moment {
      threads.withLock { $0.append(ThisProcess.thread) }
      return Moment(wall: StepClock.start, boot: .zero)
    }
  }

  private let book: TestBook
  private let clock = NotingClock()
  private let store: EventStore

  init() async throws {
    book = try TestBook()
    store = try await EventStore.open(
      at: book.path, key: book.key, program: TestBook.program, clock: clock,
      random: SystemRandom(), wait: .seconds(600))
    // However slow the machine is.
    try await store.whileOpen { $0.syncs = RecentSyncs(longest: .seconds(3600)) }
  }

  /// Appends, and says whether the caller's thread did it.
  ///
  /// Between the two readings of the thread nothing suspends unless the append does.
  private func appends(_ append: Append = .note()) async throws -> Bool {
    clock.threads.withLock { $0 = [] }
    let caller = ThisProcess.thread
    _ = try await store.append(append)
    return clock.threads.withLock { $0.allSatisfy { $0 == caller } && !$0.isEmpty }
  }

  /// Lets syncs be seen as quick.
  private func warm() async throws {
    for _ in 0..<3 { _ = try await store.append(.note()) }
    await untilIdle()
  }

  /// The thread of the store goes to rest after its last answer.
  private func untilIdle() async {
    while store.thread.withItsTurn({}) == nil { await Task.yield() }
  }

  @Test func `after quick syncs the caller's thread commits, and the log is whole`() async throws {
    #expect(try await appends() == false)
    try await warm()
    for _ in 0..<20 { #expect(try await appends()) }
    await store.close()
    #expect(try book.reader().head().size == 25)
    #expect(try await book.verify().ok)
  }

  @Test func `slow syncs are left to the store's thread`() async throws {
    try await store.whileOpen { $0.syncs = RecentSyncs(longest: .microseconds(-1)) }
    for _ in 0..<6 { #expect(try await appends() == false) }
  }

  @Test func `what a cancelled caller wanted is not committed`() async throws {
    try await warm()
    let task = Task { () -> FailureCode? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(GatebookError) {
        var wish = Append.note()
        wish.mayBeGivenUp = true
        _ = try await store.append(wish)
        return nil
      } catch {
        return error.code
      }
    }
    #expect(await task.value == .cancelled)
    #expect(try book.reader().head().size == 4)
    let fact = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await store.append(.note()).first
    }
    #expect(try await fact.value == Position(rawValue: 5))
  }

  @Test func `a large append is left to the store's thread`() async throws {
    try await warm()
    let large = Append((0..<9).map { _ in ProposedEvent(.clockObserved) })
    #expect(try await appends(large) == false)
    await untilIdle()
    #expect(try await appends())
    var secrets = Append.note()
    secrets.vault = Array(repeating: .outdateDocuments, count: 8)
    #expect(try await appends(secrets) == false)
  }

  @Test func `a lock of another process is waited for by the store's thread`() async throws {
    try await warm()
    let lock = try BookLock.open(book.path + "-lock")
    #expect(lock.tryLockWriter())
    let append = Task { try await appends() }
    let watch = try #require(OpenFile.open(book.path + "-lock", .update))
    while !watch.isLocked(0) { await Task.yield() }
    lock.unlockWriter()
    #expect(try await append.value == false)
  }

  @Test func `a lock of SQLite is waited for`() async throws {
    try await warm()
    let other = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    try other.execute("BEGIN IMMEDIATE")
    let append = Task { try await store.append(.note()) }
    // The append has the writer lock while it waits for SQLite's.
    let lock = try BookLock.open(book.path + "-lock")
    while lock.tryLockWriter() {
      lock.unlockWriter()
      await Task.yield()
    }
    try other.execute("ROLLBACK")
    #expect(try await append.value.first == Position(rawValue: 5))
  }

  @Test func `a refused append changes nothing, and the next one is committed`() async throws {
    try await warm()
    var refused = Append.note()
    refused.precondition = .generation(TestBook.ada, TestBook.session, 1)
    let append = refused
    let error = await expect(.preconditionFailed) { () throws(GatebookError) in
      _ = try await store.append(append)
    }
    #expect(error != nil)
    #expect(try await appends())
    #expect(try book.reader().head().size == 5)
  }

  @Test func `a book that was closed takes nothing`() async throws {
    try await warm()
    await store.close()
    await expect(.storageUnreadable) { () throws(GatebookError) in
      _ = try await store.append(.note())
    }
  }

  @Test func `callers alone and together keep the order of their own appends`() async throws {
    try await warm()
    let receipts = try await withThrowingTaskGroup(of: [Int64].self) { group in
      for caller in 0..<8 {
        group.addTask {
          var own: [Int64] = []
          for number in 0..<50 {
            own.append(try await store.append(.note("\(caller) \(number)")).first.rawValue)
            if number.isMultiple(of: caller + 1) { await Task.yield() }
          }
          return own
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    for own in receipts { #expect(own == own.sorted()) }
    #expect(receipts.joined().sorted() == Array(5...404))
    await store.close()
    #expect(try await book.verify().ok)
  }
}
