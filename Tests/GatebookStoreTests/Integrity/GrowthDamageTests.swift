import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

/// What a verification of the later events finds in a book that was changed, and what it does not.
@Suite struct GrowthDamageTests {
  /// What is changed in a book that grew, and what is found.
  struct Change: Sendable, CustomTestStringConvertible {
    let sql: String
    var firstBad: Int64?
    var problem: String
    var isBeforeCheckpoint = false

    var testDescription: String { sql }

    static let all = [
      Change(
        sql: "UPDATE event SET at = at + 1 WHERE position = 900", firstBad: 900,
        problem: "The event at position 900 was changed."),
      Change(
        sql: "UPDATE event SET data = '{ }' WHERE position = 601", firstBad: 601,
        problem: "The event at position 601 was changed."),
      Change(
        sql: "DELETE FROM event WHERE position = 900", firstBad: 900,
        problem: "The event at position 900 is missing."),
      Change(
        sql: "DELETE FROM event WHERE position > 1200", firstBad: 1201,
        problem: "The event at position 1201 is missing."),
      Change(
        sql: "UPDATE head SET root = zeroblob(32)",
        problem: "The root of the events is not the one in the book's head."),
      Change(
        sql: "UPDATE head SET frontier = zeroblob(length(frontier))",
        problem: "The frontier in the book's head does not match its root."),
      Change(
        sql: "UPDATE subtree SET root = zeroblob(32) WHERE level = 8 AND number = 3", firstBad: 769,
        problem: "The stored root of the events from 769 on differs."),
      Change(
        sql: "DELETE FROM subtree WHERE level = 8 AND number = 4", firstBad: 1025,
        problem: "The stored root of the events from 1025 on differs."),
      Change(
        sql: "INSERT INTO subtree VALUES (24, 0, zeroblob(32))",
        problem: "The stored subtrees do not belong to the log."),
      Change(
        sql: "UPDATE subtree SET root = zeroblob(32) WHERE level = 8 AND number = 0",
        problem:
          "The stored root of the first 600 events is not the one that the checkpoint signed.",
        isBeforeCheckpoint: true),
      Change(
        sql: "DELETE FROM subtree WHERE level = 8 AND number = 1",
        problem: "A stored root of the first 600 events is missing", isBeforeCheckpoint: true),
      Change(
        sql: "DELETE FROM event WHERE position = 590",
        problem: "A stored root of the first 600 events is missing", isBeforeCheckpoint: true),
      Change(
        sql: "UPDATE event SET leaf = zeroblob(32) WHERE position = 590",
        problem:
          "The stored root of the first 600 events is not the one that the checkpoint signed.",
        isBeforeCheckpoint: true),
      Change(
        sql: "UPDATE head SET size = 599",
        problem: "The book ends at position 599, but the checkpoint covers 600 events.",
        isBeforeCheckpoint: true),
    ]
  }

  @Test(arguments: Change.all)
  func `a change is found, and said of the right part`(_ change: Change) async throws {
    let (book, note) = try await GrownBook.make()
    try book.tamper(change.sql)
    let verdict = try await book.verify(from: note)
    #expect(!verdict.ok)
    #expect(
      verdict.problems.contains { $0.hasPrefix(change.problem) }, "\(verdict.problems)")
    #expect(verdict.firstBad?.rawValue == change.firstBad)
    #expect(verdict.agreesWithCheckpoint != change.isBeforeCheckpoint)
    #expect((verdict.root == nil) == change.isBeforeCheckpoint)
    #expect(!verdict.isLogWhole)
  }

  @Test(arguments: [
    "UPDATE event SET at = at + 1 WHERE position = 100", "DELETE FROM event WHERE position = 1",
    "UPDATE vault SET sealed = zeroblob(64)",
    "UPDATE account_state SET state = replace(state, '1', '2')",
  ])
  func `what the checkpoint covers, and what no hash covers, is not read`(
    _ change: String
  ) async throws {
    let (book, note) = try await GrownBook.make()
    try book.tamper(change)
    let verdict = try await book.verify(from: note)
    #expect(verdict.ok, "\(verdict.problems)")
    if change.contains(" event ") { #expect(try await !book.verify(against: note).ok) }
  }

  @Test func `a summary of later events that differs is reported alone`() async throws {
    let (book, note) = try await GrownBook.make()
    // The run in which the checkpoint ends is not compared, because its first events are not read.
    try book.tamper("UPDATE block SET kinds = 0 WHERE level = 8 AND number = 2")
    #expect(try await book.verify(from: note).ok)
    try book.tamper("UPDATE block SET kinds = 0 WHERE level = 8 AND number = 3")
    let verdict = try await book.verify(from: note)
    #expect(verdict.problems == ["The summary of events 769 to 1024 differs from them."])
    #expect(verdict.isLogWhole)
    #expect(verdict.firstBad == nil)
  }

  @Test(arguments: ["revision = revision + 1000", "account = 0, revision = 1000000"])
  func `the numbers of an account's events have no gap`(_ change: String) async throws {
    let (book, note) = try await GrownBook.make()
    try book.rewrite(change, where: "position = 1290")
    let verdict = try await book.verify(from: note)
    let gap = "The numbers of an account's events have a gap, from position 1290 on."
    #expect(verdict.problems.contains(gap), "\(verdict.problems)")
    #expect(verdict.firstBad == Position(rawValue: 1290))
  }

  @Test func `the numbers of an account's events continue those that were not read`() async throws {
    let (book, note) = try await GrownBook.make(keptAt: 1290)
    let of = "account = 1 AND position > 1290"
    let first = try book.reader().connection.integer("SELECT min(position) FROM event WHERE \(of)")
    try #require(first > 0)
    try book.rewrite("revision = revision + 1000", where: of)
    #expect(try await book.verify(from: note).firstBad == Position(rawValue: first))
  }

  /// Each number of an event at both ends of what SQLite can store; at last with its right hash.
  @Test(arguments: [
    "account", "session", "writer", "revision", "kind", "version", "at", "cause", "process",
  ])
  func `no number of an event is too large for a check`(_ column: String) async throws {
    let (book, note) = try await GrownBook.make(keptAt: 1000)
    let numbers = column == "version" ? [Int64.max] : [.max, .min]
    let isName = ["account", "session", "writer"].contains(column)
    if column == "kind" {
      for number in numbers {
        try book.tamper(
          "INSERT INTO kind VALUES (\(number), '\(number)')", keepingTriggers: true)
      }
    }
    for isSigned in isName ? [false] : [false, true] {
      for number in numbers {
        try book.change("\(column) = \(number)", where: "position = 1200", isSigned: isSigned)
        #expect(try await !book.verify(from: note).ok)
        #expect(try await !book.verify().ok)
        _ = try? book.reader().checkProjections()
        let store = try await book.open()
        _ = try? await store.rebuild(from: FoldedLog())
        await store.close()
      }
    }
  }

  /// An account's later events have numbers that it had before; the index leads to all of them.
  @Test(arguments: [1, 5])
  func `later events do not use the numbers of earlier ones again`(_ number: Int) async throws {
    let (book, note) = try await GrownBook.make(keptAt: 1290)
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    let first = try connection.integer(
      "SELECT min(position) FROM event WHERE account = 1 AND position > 1290")
    try #require(first > 0)
    try connection.execute("DROP INDEX event_stream")
    try connection.execute("CREATE INDEX event_stream ON event (account, revision)")
    let former = try connection.integer(
      "SELECT revision FROM event WHERE position = \(first)")
    try book.rewrite(
      "revision = revision - \(former) + \(number)", where: "account = 1 AND position > 1290")
    let verdict = try await book.verify(from: note)
    let gap = "The numbers of an account's events have a gap, from position \(first) on."
    #expect(verdict.problems.contains(gap), "\(verdict.problems)")
  }

  @Test(arguments: [Int64.max, 9_007_199_254_740_993])
  func `a checkpoint of more events than a book can have is none`(_ size: Int64) async throws {
    let (book, _) = try await GrownBook.make()
    let store = try await book.open()
    let note = Checkpoint.note(
      size: size, root: SHA256().ofNothing, of: store.keys.book, store.keys.signing)
    await store.close()
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await book.verify(from: note)
    }
  }

  /// Somebody rewrites an event and computes all hashes again: only the kept checkpoint shows it.
  @Test(arguments: [100, 590] as [Int64])
  func `a log that was rewritten does not agree with the checkpoint`(
    _ position: Int64
  ) async throws {
    let (book, note) = try await GrownBook.make()
    try book.rewrite("process = process + 1", where: "position = \(position)")
    let connection = try Connection.open(book.path, flags: SQLITE_OPEN_READWRITE)
    let hash = SHA256()
    var (tree, subtrees): (Frontier, [Frontier.Subtree]) = (Frontier(), [])
    let leaves = try connection.all("SELECT leaf FROM event ORDER BY position") {
      Digest(bytes: $0.raw(0))
    }
    for leaf in leaves { tree.append(leaf, hash) { subtrees.append($0) } }
    for subtree in subtrees {
      try connection.run(
        "INSERT OR REPLACE INTO subtree VALUES (?1, ?2, ?3)", subtree.level, subtree.number,
        subtree.root.bytes)
    }
    try LogHead.write(connection, tree, tree.root(hash))
    #expect(try await book.verify().ok)
    let verdict = try await book.verify(from: note)
    #expect(!verdict.agreesWithCheckpoint)
    #expect(
      verdict.problems == [
        "The stored root of the first 600 events is not the one that the checkpoint signed."
      ])
  }
}
