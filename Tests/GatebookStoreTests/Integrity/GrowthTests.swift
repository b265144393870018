import GatebookEvents
import Testing

@testable import GatebookStore

/// The verification of what a book recorded since a checkpoint.
@Suite struct GrowthTests {
  @Test func `the later events verify from every size around a subtree's`() async throws {
    let book = try TestBook(onDisk: true)
    let store = try await book.open()
    var notes: [(size: Int64, note: String)] = []
    var size: Int64 = 1
    for target: Int64 in [1, 2, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 66_000] {
      while size < target {
        let count = min(target - size, 8192)
        _ = try await store.append(
          Append((0..<count).map { _ in ProposedEvent(.clockObserved) }))
        size += count
      }
      notes.append((target, try book.reader().checkpoint()))
    }
    let root = try book.reader().head().root
    for (size, note) in notes {
      let verdict = try await book.verify(from: note)
      #expect(verdict.ok, "\(size): \(verdict.problems)")
      #expect(verdict.covered == size)
      #expect(verdict.from == Position(rawValue: size + 1))
      #expect(verdict.events == 66_000 - size)
      #expect(verdict.size == 66_000)
      #expect(verdict.root == root)
    }
    // The subtree of level 16 was completed after the first of these checkpoints.
    try book.tamper("UPDATE subtree SET root = zeroblob(32) WHERE level = 16")
    #expect(try await book.verify(from: notes[3].note).firstBad == Position(rawValue: 257))
    #expect(try await !book.verify(from: notes[10].note).agreesWithCheckpoint)
  }

  @Test func `progress ends with all later events, and nothing later is no damage`() async throws {
    let (book, note) = try await GrownBook.make()
    let seen = Counter()
    let verdict = try await BookVerifier(path: book.path).verify(from: note) { done, all in
      #expect(done == 700)
      #expect(all == 700)
      seen.add()
    }
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(seen.value == 1)
    let last = try await book.verify(from: book.reader().checkpoint())
    #expect(last.ok, "\(last.problems)")
    #expect(last.events == 0)
    #expect(last.root == (try book.reader().head().root))
    #expect(last.from == Position(rawValue: 1301))
  }

  @Test func `a checkpoint that does not fit is refused`() async throws {
    let (book, note) = try await GrownBook.make()
    let other = try await TestBook.written(events: 0)
    let foreign = try other.reader().checkpoint()
    let renamed = try foreign.replacing("\(other.reader().id)", with: "\(book.reader().id)")
    let signature = try #require(note.firstRange(of: "\n— "))
    let unsigned = String(note[..<signature.lowerBound]) + "\n"
    let elsewhere =
      unsigned + "— witness.example \(Base64.encode([UInt8](repeating: 7, count: 68)))\n"
    for wrong in [foreign, renamed, elsewhere, note.replacing("\n600\n", with: "\n601\n")] {
      await expect(.storageDamaged) { () throws(GatebookError) in
        _ = try await book.verify(from: wrong)
      }
    }
    for none in ["", "no note at all", unsigned] {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await book.verify(from: none)
      }
    }
  }

  @Test func `a checkpoint of a longer copy is reported`() async throws {
    let (book, _) = try await GrownBook.make()
    let copy = book.folder.file("copy.book")
    // All of it into the one file that is copied.
    try book.tamper(keepingTriggers: true)
    try FileBytes.write(FileBytes.read(book.path), to: copy)
    let store = try await book.open()
    try await RollupBook.fill(store, from: 1300, upTo: 1310, seed: 4)
    await store.close()
    let verdict = try await BookVerifier(path: copy).verify(from: book.reader().checkpoint())
    #expect(
      verdict.problems == [
        "The book ends at position 1300, but the checkpoint covers 1310 events."
      ])
    #expect(!verdict.agreesWithCheckpoint)
    #expect(verdict.events == 0)
  }

  @Test(arguments: [8, 255, 256, 257, 511, 700])
  func `the log after an archive verifies, and a checkpoint in it is refused`(
    _ size: Int
  ) async throws {
    let book = try await RollupBook.make(events: size - 1)
    let store = try await book.open()
    let old = try store.makeReader().checkpoint()
    try await RollupBook.fill(store, from: size - 1, upTo: size, seed: 3)
    let last = try store.makeReader().checkpoint()
    _ = try await store.archive(to: book.folder.file("past.book")) { _, _ in }
    let first = try store.makeReader().checkpoint()
    try await RollupBook.fill(store, from: size + 1, upTo: size + 5, seed: 3)
    let next = try store.makeReader().checkpoint()
    try await RollupBook.fill(store, from: size + 5, upTo: size + 300, seed: 3)
    await store.close()
    for (note, covered) in [(last, size), (first, size + 1), (next, size + 5)] {
      let verdict = try await book.verify(from: note)
      #expect(verdict.ok, "\(covered): \(verdict.problems)")
      #expect(verdict.covered == Int64(covered))
    }
    let refusal = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.verify(from: old)
    }
    #expect(refusal?.message.contains("events 1 to \(size) are in the archive") == true)
    try book.tamper("UPDATE event SET at = at + 1 WHERE position = \(size + 100)")
    #expect(
      try await book.verify(from: next).firstBad == Position(rawValue: Int64(size + 100)))
  }

  @Test func `a checkpoint from before a recovery is refused, a later one is taken`() async throws {
    let (book, note) = try await GrownBook.make()
    let end = try book.reader().checkpoint()
    try book.tamper("DELETE FROM event WHERE position IN (300, 1299)")
    let path = book.folder.file("new.book")
    _ = try await BookRecovery(path: book.path, program: TestBook.program).recover(to: path)
    for before in [note, end] {
      let refusal = await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await BookVerifier(path: path).verify(from: before)
      }
      #expect(refusal?.message.contains("was recovered after position 1300") == true)
    }
    let reader = try BookReader.open(at: path, key: book.key)
    let after = try await BookVerifier(path: path).verify(from: reader.checkpoint())
    #expect(after.ok, "\(after.problems)")
    #expect(after.covered > 1300)
    #expect(after.events == 0)
  }

  @Test func `a book that is being written verifies from its checkpoint all the same`() async throws
  {
    let (book, note) = try await GrownBook.make()
    let store = try await book.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await RollupBook.fill(store, from: 1300, upTo: 12_000, seed: 5) }
      group.addTask {
        for _ in 0..<20 {
          let verdict = try await book.verify(from: note)
          #expect(verdict.ok, "\(verdict.problems)")
        }
      }
      try await group.waitForAll()
    }
    await store.close()
  }

  @Test func `a verification that is cancelled reports no damage`() async throws {
    let (book, note) = try await GrownBook.make()
    let code: FailureCode? = await Task { () -> FailureCode? in
      withUnsafeCurrentTask { $0?.cancel() }
      do throws(GatebookError) {
        _ = try await book.verify(from: note)
        return nil
      } catch {
        return error.code
      }
    }.value
    #expect(code == .cancelled)
  }
}
