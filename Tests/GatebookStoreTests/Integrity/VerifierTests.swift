import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct VerifierTests {
  private static let sizes: [Int64] = [
    1, 2, 3, 127, 128, 255, 256, 257, 511, 512, 513, 65_535, 65_536, 65_537, 65_792,
  ]

  @Test func `a book verifies at every size around a subtree's, and against all its checkpoints`()
    async throws
  {
    let book = try TestBook(onDisk: true)
    let store = try await book.open()
    var notes: [(size: Int64, note: String)] = []
    var size: Int64 = 1
    for target in Self.sizes {
      while size < target {
        let count = min(target - size, 8192)
        _ = try await store.append(
          Append((0..<count).map { _ in ProposedEvent(.clockObserved) }))
        size += count
      }
      let verdict = try await book.verify()
      #expect(verdict.ok, "\(target): \(verdict.problems)")
      #expect(verdict.size == target)
      #expect(verdict.level == .itself)
      #expect(verdict.root == (try book.reader().head().root))
      notes.append((target, try book.reader().checkpoint()))
    }
    let reader = try book.reader()
    let tree = PartialTree(reader.connection)
    for (size, note) in notes {
      let checkpoint = try Checkpoint(note: note, of: reader.id, signedBy: reader.row.checkpointKey)
      #expect(checkpoint.size == size)
      #expect(try tree.root(of: size) == checkpoint.root, "\(size)")
    }
    for note in [notes[0].note, notes[7].note, notes[12].note] {
      let verdict = try await book.verify(against: note)
      #expect(verdict.ok)
      #expect(verdict.level == .checkpoint)
    }
    try await expectSubtrees(of: book)
  }

  /// Damages a tree that is large enough to have subtrees of both sizes.
  private func expectSubtrees(of book: TestBook) async throws {
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    #expect(try connection.integer("SELECT count(*) FROM subtree WHERE level = 8") == 257)
    #expect(try connection.integer("SELECT count(*) FROM subtree WHERE level = 16") == 1)
    try book.tamper("UPDATE subtree SET root = zeroblob(32) WHERE level = 16")
    var verdict = try await book.verify()
    #expect(!verdict.ok)
    #expect(verdict.firstBad == Position(rawValue: 1))
    try book.tamper("DELETE FROM subtree WHERE level = 8 AND number = 256")
    verdict = try await book.verify()
    #expect(verdict.problems.count >= 2)
  }

  @Test func `an account's share of a whole log is reported`() async throws {
    let book = try await TestBook.written(events: 24)
    let verifier = BookVerifier(path: book.path)
    for (account, events) in [(TestBook.ada, 19), (TestBook.bob, 11)] as [(AccountID, Int64)] {
      let verdict = try await verifier.verify(account: account)
      #expect(verdict.ok)
      #expect(verdict.size == 31)
      #expect(verdict.stream == VerifiedStream(account: account, events: events))
    }
    #expect(try await book.verify().stream == nil)
  }

  /// Ada's fifth event of 19 gets a number after the last one, or the fourth's.
  @Test(arguments: [
    ["UPDATE event SET revision = 20 WHERE account = 1 AND revision = 5"],
    [
      "UPDATE event SET revision = 20 WHERE account = 1 AND revision = 5",
      "UPDATE event SET revision = 5 WHERE account = 1 AND revision = 4",
      "UPDATE event SET revision = 4 WHERE account = 1 AND revision = 20",
    ], ["UPDATE event SET revision = 0 WHERE account = 1 AND revision = 1"],
  ])
  func `a gap or a wrong order in an account's events is found`(_ changes: [String]) async throws {
    let book = try await TestBook.written(events: 24)
    for change in changes { try book.tamper(change) }
    let text = "The numbers of the account's events have a gap"
    let verdict = try await BookVerifier(path: book.path).verify(account: TestBook.ada)
    #expect(!verdict.ok)
    #expect(verdict.problems.contains { $0.hasPrefix(text) }, "\(verdict.problems)")
    let other = try await BookVerifier(path: book.path).verify(account: TestBook.bob)
    #expect(!other.problems.contains { $0.hasPrefix(text) })
  }

  @Test func `progress ends with all events`() async throws {
    let book = try await TestBook.written(events: 3)
    let seen = Counter()
    let verdict = try await BookVerifier(path: book.path).verify { done, size in
      #expect(done == 10)
      #expect(size == 10)
      seen.add()
    }
    #expect(verdict.ok)
    #expect(seen.value == 1)
  }

  @Test func `a book that is being written verifies all the same`() async throws {
    let book = try TestBook()
    let store = try await book.open()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for _ in 0..<60 {
          _ = try await store.append(
            Append((0..<20).map { _ in ProposedEvent(.clockObserved) }))
        }
      }
      for _ in 0..<2 {
        group.addTask {
          for _ in 0..<20 {
            let verdict = try await book.verify()
            #expect(verdict.ok, "\(verdict.problems)")
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
