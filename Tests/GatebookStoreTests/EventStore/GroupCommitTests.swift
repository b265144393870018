import GatebookEvents
import GatebookSystem
import Testing

@testable import GatebookStore

@Suite struct GroupCommitTests {
  @Test func `callers who come together share their commits, and each is answered`() async throws {
    let book = try TestBook()
    let store = try await book.open(wait: .seconds(600))
    let before = try WALFile.commits(of: book.path)
    let lock = try BookLock.open(book.path + "-lock")
    try lock.lockWriter(wait: .seconds(10))
    let started = Counter()
    let receipts = try await withThrowingTaskGroup(of: Receipt.self) { group in
      for index in 0..<32 {
        group.addTask {
          started.add()
          return try await store.append(.note("\(index)"))
        }
      }
      await started.reach(32)
      lock.unlockWriter()
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(receipts.map(\.first.rawValue).sorted() == Array(2...33))
    let commits = try WALFile.commits(of: book.path) - before
    #expect(commits >= 1)
    #expect(commits <= 8, "32 callers, \(commits) commits")
    #expect(try await book.verify().ok)
  }

  @Test func `a caller alone has a commit of its own`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let before = try WALFile.commits(of: book.path)
    for _ in 0..<5 { _ = try await store.append(.note()) }
    #expect(try WALFile.commits(of: book.path) - before == 5)
  }

  @Test func `a long log is moved into the book although others always wait for the lock`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open(wait: .seconds(600))
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    try await store.whileOpen { writer in
      // The writer may commit once more before the one who waits.
      let now = SystemTime.monotonic + 60_000_000
      writer.lock.turn.begin(hasWaited: true, at: now)
      writer.lock.turn.hear(ofOthers: 3)
      writer.lock.turn.release(at: now)
      writer.lock.turn.begin(hasWaited: false, at: now)
    }
    let waiting = try #require(OpenFile.open(book.path + "-lock", .update))
    try #require(waiting.lock(0))
    var large = Append.note()
    large.vault = [
      .set(
        TestBook.ada, purpose: "large", generation: 1,
        content: [UInt8](repeating: 7, count: 17 << 20))
    ]
    _ = try await store.append(large)
    waiting.unlock(0)
    // The thread of the store comes to this when the log was moved.
    #expect(try await store.whileOpen { $0.wantsCheckpoint } == false)
    await store.close()
  }

  @Test func `a repetition costs no commit`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    let id = EventID(high: 1, low: 1)
    _ = try await store.append(.note(id: id))
    let before = try WALFile.commits(of: book.path)
    for _ in 0..<3 { _ = try await store.append(.note(id: id)) }
    #expect(try WALFile.commits(of: book.path) == before)
  }

  @Test func `a cancelled caller is either recorded with a receipt or not recorded at all`()
    async throws
  {
    let book = try TestBook()
    let store = try await book.open(wait: .seconds(600))
    let lock = try BookLock.open(book.path + "-lock")
    try lock.lockWriter(wait: .seconds(10))
    let started = Counter()
    var tasks: [Task<Result<Receipt, GatebookError>, Never>] = []
    for index in 0..<64 {
      tasks.append(
        Task {
          // Cancelled before it comes: what is cancelled later may have been taken already.
          if !index.isMultiple(of: 2) { withUnsafeCurrentTask { $0?.cancel() } }
          started.add()
          do throws(GatebookError) {
            return .success(try await store.append(.note("\(index)")))
          } catch {
            return .failure(error)
          }
        })
    }
    await started.reach(64)
    lock.unlockWriter()
    var results: [Result<Receipt, GatebookError>] = []
    for task in tasks { results.append(await task.value) }
    let notes = try book.reader().events(EventFilter()).map { $0.data["note"]?.text }
    for (index, result) in results.enumerated() {
      switch result {
      case .success(let receipt):
        #expect(notes[Int(receipt.first.rawValue) - 1] == "\(index)")
      case .failure(let error):
        #expect(error.code == .cancelled)
        #expect(!index.isMultiple(of: 2), "only cancelled callers may go without a receipt")
        #expect(!notes.contains("\(index)"))
      }
    }
    #expect(results.contains { $0 == .failure(Self.cancelled) })
  }

  private static let cancelled = GatebookError(.cancelled, "", remedy: "")
}
