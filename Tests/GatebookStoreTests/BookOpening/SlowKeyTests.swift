import GatebookCrypto
import GatebookEvents
import Glibc
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

  /// A key that blocks until as many are asked for at once; the shared pool has fewer threads.
  private struct GatheredKey: KeySource {
    // Unchecked: the count is reached only between lock and unlock.
    final class Gathering: @unchecked Sendable {
      private var missing: Int
      private var mutex = pthread_mutex_t()
      private var complete = pthread_cond_t()

      init(of count: Int) {
        missing = count
        pthread_mutex_init(&mutex, nil)
        pthread_cond_init(&complete, nil)
      }

      /// Waits for all others; `false` after 20 seconds without them.
      func join() -> Bool {
        pthread_mutex_lock(&mutex)
        defer { pthread_mutex_unlock(&mutex) }
        missing -= 1
        if missing == 0 { pthread_cond_broadcast(&complete) }
        var limit = timespec()
        clock_gettime(CLOCK_REALTIME, &limit)
        limit.tv_sec += 20
        while missing > 0 {
          guard pthread_cond_timedwait(&complete, &mutex, &limit) == 0 else { return false }
        }
        return true
      }
    }

    let gathering: Gathering

    func make(
      for book: BookID, random: any RandomSource
    ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
      guard gathering.join() else {
        throw GatebookError(.keyLocked, "The others did not come.", remedy: "")
      }
      return try MemoryKey().make(for: book, random: random)
    }

    func open(_ description: KeyDescription, of book: BookID) throws(GatebookError) -> Secret {
      try MemoryKey().open(description, of: book)
    }
  }

  @Test func `keys that a person is asked for hold up no other work`() async throws {
    let count = 2 * max(sysconf(Int32(_SC_NPROCESSORS_ONLN)), 4)
    let gathering = GatheredKey.Gathering(of: count)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<count {
        group.addTask {
          var book = try TestBook()
          book.key = GatheredKey(gathering: gathering)
          try await book.open().close()
        }
      }
      try await group.waitForAll()
    }
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
