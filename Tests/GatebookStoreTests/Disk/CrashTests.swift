import FaultyDisk
import GatebookEvents
import GatebookStore
import Testing

/// Processes that are killed inside a commit; what they acknowledged reached this one by a pipe.
@Suite struct CrashTests {
  private static let killed: Int32 = 9

  private struct Prepared {
    let book: TestBook
    let key: String

    static func make() async throws -> Prepared {
      var book = try TestBook(onDisk: true)
      let key = book.folder.file("key")
      book.key = KeyFile(path: key)
      let store = try await book.open()
      _ = try await store.append(.login(TestBook.ada, TestBook.session))
      await store.close()
      return Prepared(book: book, key: key)
    }
  }

  @Test func `fifty kills inside a commit lose nothing that was acknowledged`() async throws {
    let prepared = try await Prepared.make()
    let book = prepared.book
    var acknowledged: [String] = []
    for round in 0..<54 {
      let point = CrashPoint.allCases[round % CrashPoint.allCases.count]
      let commits = round % 4 + 1
      // Dying amid the WAL checkpoint means to have come to the end.
      let count = point == .amidCheckpoint ? commits : commits + 1
      let child = try ChildProcess.crashingWriter(
        "append", book.path, prepared.key, "\(count)", point.rawValue, "\(commits)")
      let (lines, status) = child.finish()
      #expect(status == Self.killed, "round \(round), \(point)")
      #expect(lines.count == commits, "round \(round), \(point)")
      acknowledged += lines
      try await expectWhole(book, acknowledged, "round \(round), \(point)")
    }
    let events = try book.sealedReader().events(EventFilter())
    // At most one event of each round was on disk before its process could say so.
    #expect(events.count - 4 - acknowledged.count <= 54)
  }

  private func expectWhole(
    _ book: TestBook, _ acknowledged: [String], _ comment: Comment
  ) async throws {
    let verdict = try await book.verify()
    #expect(verdict.ok, "\(comment): \(verdict.problems)")
    let reader = try book.reader()
    #expect(try reader.checkProjections().ok, comment)
    let events = try reader.events(EventFilter())
    let ids = Set(events.map(\.id.description))
    #expect(ids.isSuperset(of: acknowledged), comment)
    // A secret is on disk exactly when its event is.
    let last = try #require(events.last { $0.kind == "cookies.changed" })
    #expect(try reader.secret(of: TestBook.ada, purpose: "crash") == last.id.bytes, comment)
    #expect(last.personal == .known(["id": .text(last.id.description)]), comment)
  }

  @Test func `four processes append a thousand events each, and all are there`() async throws {
    let prepared = try await Prepared.make()
    let book = prepared.book
    let children = try (0..<4).map { _ in
      try ChildProcess.crashingWriter("append", book.path, prepared.key, "1000")
    }
    var ids: Set<String> = []
    for child in children {
      let (lines, status) = child.finish()
      #expect(status == 0)
      #expect(lines.last == "closed", "\(lines.last ?? "")")
      #expect(lines.count == 1001)
      ids.formUnion(lines.dropLast())
    }
    #expect(ids.count == 4000)
    let events = try book.sealedReader().events(EventFilter())
    #expect(Set(events.map(\.id.description)).isSuperset(of: ids))
    #expect(events.map(\.position.rawValue) == Array(1...Int64(events.count)))
    #expect(try await book.verify().ok)
    #expect(try book.sealedReader().checkProjections().ok)
    // Nobody writes for long while others wait: some nine events in a row.
    let writers = events.map(\.writer.process)
    let turns = zip(writers, writers.dropFirst()).filter { $0 != $1 }.count
    #expect(turns > 300, "\(turns) turns")
  }
}
