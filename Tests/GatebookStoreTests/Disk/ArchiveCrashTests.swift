import GatebookEvents
import GatebookStore
import Glibc
import Testing

@testable import GatebookStore

/// Archives by processes that die, or whose disk fills, at one write after the other.
@Suite struct ArchiveCrashTests {
  private static let killed: Int32 = 9

  private struct Prepared {
    let book: TestBook
    let key: String
    var archive: String { book.folder.file("past.book") }

    static func make(events: Int = 300) async throws -> Prepared {
      var book = try TestBook()
      let key = book.folder.file("key")
      book.key = KeyFile(path: key)
      book.clock = StepClock(step: .seconds(700))
      let store = try await book.open()
      try await RollupBook.fill(store, from: 1, upTo: events, seed: 6)
      await store.close()
      return Prepared(book: book, key: key)
    }
  }

  @Test(arguments: ["die", "fill"])
  func `whichever write an archive stops at, all that happened is in one of both files`(
    _ fault: String
  ) async throws {
    let whole = try await Prepared.make()
    let (lines, _) = try ChildProcess.crashingWriter(
      "archive", whole.book.path, whole.key, whole.archive
    ).finish()
    let writes = try #require(lines.last.flatMap { Int($0.dropFirst(7)) })
    #expect(writes > 40, "\(lines)")
    // A step that shares no factor with what SQLite writes in pairs.
    for write in stride(from: 1, through: writes, by: max(1, writes / 40) | 1) {
      let prepared = try await Prepared.make()
      let (lines, status) = try ChildProcess.crashingWriter(
        "archive", prepared.book.path, prepared.key, prepared.archive, fault, "\(write)"
      ).finish()
      let comment: Comment = "\(fault) at write \(write) of \(writes): \(lines)"
      if fault == "die" { #expect(status == Self.killed || status == 0, comment) }
      try await expectWhole(prepared, comment)
      if lines.contains(where: { $0.hasPrefix("failed") }) {
        #expect(access(prepared.archive, F_OK) != 0, comment)
        #expect(access(prepared.archive + "-draft", F_OK) != 0, comment)
      }
    }
  }

  private func expectWhole(_ prepared: Prepared, _ comment: Comment) async throws {
    let book = prepared.book
    let verdict = try await book.verify()
    #expect(verdict.ok, "\(comment): \(verdict.problems)")
    #expect(try book.sealedReader().checkProjections().ok, comment)
    let size = try book.sealedReader().head().size
    if verdict.continuation == nil {
      #expect((300...301).contains(size), comment)
      // The killed process may have left a whole copy, or a part of one, but nothing else.
      if access(prepared.archive, F_OK) == 0 {
        #expect(try await BookVerifier(path: prepared.archive).verify().ok, comment)
      }
    } else {
      #expect((301...302).contains(size), comment)
      let both = try await BookVerifier(path: book.path).verify(archive: prepared.archive)
      #expect(both.ok, "\(comment): \(both.problems)")
    }
    // The next process that opens it cleans up; then it can be archived.
    await (try book.open()).close()
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    #expect(
      try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'past'") == 0,
      comment)
    let store = try await book.open()
    let archive = try await store.archive(to: book.folder.file("next.book")) { _, _ in }
    await store.close()
    #expect(try await BookVerifier(path: book.path).verify(archive: archive.path).ok, comment)
  }

  @Test func `while others write, nothing they were told of is lost`() async throws {
    let prepared = try await Prepared.make()
    let book = prepared.book
    let writers = try (0..<2).map { _ in
      try ChildProcess.crashingWriter("append", book.path, prepared.key, "600")
    }
    let store = try await book.open()
    var paths: [String] = []
    for round in 1...4 {
      let archive = try await store.archive(to: book.folder.file("past\(round).book")) { _, _ in }
      let verdict = try await BookVerifier(path: book.path).verify(archive: archive.path)
      #expect(verdict.ok, "\(verdict.problems)")
      paths.append(archive.path)
    }
    await store.close()
    var acknowledged: Set<String> = []
    for writer in writers {
      let (lines, status) = writer.finish()
      #expect(status == 0)
      #expect(lines.last == "closed", "\(lines.last ?? "")")
      acknowledged.formUnion(lines.dropLast())
    }
    #expect(acknowledged.count == 1200)
    var positions: [Int64] = []
    var ids: Set<String> = []
    for path in paths + [book.path] {
      let events = try BookReader.open(at: path).events(EventFilter())
      positions += events.map(\.position.rawValue)
      ids.formUnion(events.map(\.id.description))
    }
    #expect(positions == Array(1...Int64(positions.count)))
    #expect(ids.isSuperset(of: acknowledged))
    let verdict = try await book.verify()
    #expect(verdict.ok, "\(verdict.problems)")
    #expect(try book.sealedReader().checkProjections().ok)
  }
}
