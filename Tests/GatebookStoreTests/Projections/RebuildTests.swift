import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct RebuildTests {
  /// All rows of the projections as text, in order.
  private static func rows(of book: TestBook) throws -> [String] {
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    let statement = try connection.statement(
      """
      SELECT 'account ' || account || ' ' || hex(state) FROM account_state
      UNION ALL SELECT 'session ' || session || ' ' || account || ' ' || hex(state)
        FROM session_state
      UNION ALL SELECT 'roster ' || hex(state) FROM roster
      UNION ALL SELECT printf('block %d %d %d %d %d', level, number, earliest, latest, kinds) FROM block
      UNION ALL SELECT printf('tally %d %d %d %d', part, number, kind, events) FROM tally
      UNION ALL SELECT printf('snapshot %d %d %s', account, position, hex(state)) FROM snapshot
      ORDER BY 1
      """)
    defer { statement.reset() }
    var rows: [String] = []
    while try statement.step() { rows.append(statement.text(0)) }
    return rows
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `rebuilt projections equal incremental ones after 10,000 events of 20 accounts`(
    seed: UInt64
  ) async throws {
    let book = try TestBook()
    // Two writers in turn, each of which must notice what the other one wrote.
    let stores = [try await book.open(), try await book.open()]
    var history = RandomHistory(seed: seed, accounts: 20)
    var events: [ProposedEvent] = []
    while events.count < 10_000 {
      let append = history.append(upTo: seed == 1 ? 40 : 400)
      _ = try await stores[events.count % 2].append(append)
      events += append.events
    }
    let reader = try book.sealedReader()
    let verdict = try reader.checkProjections()
    #expect(verdict.ok, "seed \(seed): \(verdict.problems)")
    #expect(verdict.position.rawValue == Int64(events.count + 1))
    let before = try Self.rows(of: book)
    #expect(before.count > 20)

    try expectPast(reader, events, &history, seed)

    let log = try reader.foldLog()
    #expect(try await stores[1].rebuild(from: log) == verdict.position)
    #expect(try Self.rows(of: book) == before, "seed \(seed)")
    _ = try await stores[0].rebuild(from: FoldedLog())
    #expect(try Self.rows(of: book) == before, "seed \(seed)")
    let last = history.append(upTo: 50)
    _ = try await stores[1].append(last)
    #expect(try reader.checkProjections().ok, "seed \(seed)")
  }

  /// Compares the past at some positions with a fold of the proposals up to there.
  private func expectPast(
    _ reader: BookReader, _ events: [ProposedEvent], _ history: inout RandomHistory,
    _ seed: UInt64
  ) throws {
    let times = try reader.events(EventFilter()).map(\.at)
    let positions = (0..<6).map { _ in history.position(upTo: Int64(events.count + 1)) }.sorted()
    var fold = BookFold()
    var told = 0
    for position in positions {
      while told < position.rawValue - 1 {
        let event = events[told]
        told += 1
        event.data.encoded.withUnsafeBytes { bytes in
          fold.apply(
            LogEntry(
              position: Position(rawValue: Int64(told + 1)), account: event.account, revision: 0,
              session: event.session, kind: event.kind, at: times[told],
              data: FactScanner(bytes)))
        }
      }
      try expect(reader, position, fold, "seed \(seed), position \(position)")
    }
  }

  private func expect(
    _ reader: BookReader, _ position: Position, _ fold: BookFold, _ comment: Comment
  ) throws {
    for (account, state) in fold.accounts {
      let context = try #require(try reader.context(of: account, asOf: position), comment)
      #expect(context.state == state.state, comment)
      #expect(context.session == state.session, comment)
      #expect(context.generation == state.generation, comment)
      #expect(context.position == state.cause, comment)
      #expect(context.since == state.since, comment)
      #expect(context.expiresAt == state.expires, comment)
      #expect(context.isCurrent == (fold.roster.current == account), comment)
    }
    let sessions = try reader.sessions(asOf: position)
    #expect(Set(sessions) == Set(fold.sessions.map { SessionSummary($0.key, $0.value) }), comment)
  }

  @Test func `a rebuild takes the events that came after its fold`() async throws {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    let log = try book.sealedReader().foldLog()
    _ = try await store.append(
      Append([ProposedEvent(.sessionExpired, account: TestBook.ada, session: TestBook.session)]))
    #expect(try await store.rebuild(from: log) == Position(rawValue: 8))
    #expect(try book.reader().context(of: TestBook.ada)?.state == .needsLogin(.expired))
    #expect(try book.sealedReader().checkProjections().ok)
  }

  private static let damages = [
    "UPDATE account_state SET state = replace(state, 'active', 'offline') WHERE account = 1",
    "UPDATE account_state SET state = state || ' '",
    "DELETE FROM account_state WHERE account = 2", "DELETE FROM session_state",
    "INSERT INTO account_state SELECT 3, state FROM account_state WHERE account = 1",
    "UPDATE session_state SET state = replace(state, '\"generation\":1', '\"generation\":2')",
    "INSERT INTO roster VALUES (1, '{}')", "UPDATE session_state SET account = 2",
    "UPDATE account_state SET state = (SELECT state FROM account_state WHERE account = 2)",
  ]

  @Test(arguments: damages)
  func `a projection that was changed is found, and a rebuild mends it`(change: String) async throws
  {
    let book = try await TestBook.written(events: 3)
    let before = try Self.rows(of: book)
    #expect(try book.sealedReader().checkProjections().ok)
    try book.tamper(change, keepingTriggers: true)
    #expect(try Self.rows(of: book) != before)
    let verdict = try book.sealedReader().checkProjections()
    #expect(!verdict.ok)
    #expect(!verdict.problems.isEmpty)
    // The log itself is whole.
    #expect(try await book.verify().ok)
    let store = try await book.open()
    let log = try book.sealedReader().foldLog()
    _ = try await store.rebuild(from: log)
    #expect(try book.sealedReader().checkProjections().ok)
    #expect(try Self.rows(of: book) == before)
  }

  @Test func `the rows of one account are compared and rebuilt alone`() async throws {
    let book = try await TestBook.written(events: 3)
    let before = try Self.rows(of: book)
    try book.tamper(
      "UPDATE account_state SET state = replace(state, 'active', 'offline')",
      "DELETE FROM session_state", "INSERT INTO roster VALUES (1, '{}')", keepingTriggers: true)
    let verdict = try book.sealedReader().checkProjections(of: TestBook.ada)
    #expect(
      verdict.problems == [
        "The stored state of account \(TestBook.ada) differs from the log.",
        "The stored state of session \(TestBook.session) differs from the log.",
      ])
    let events = try book.reader().events(EventFilter())
    #expect(verdict.position == events.last { $0.account == TestBook.ada }?.position)
    let store = try await book.open()
    let log = try book.sealedReader().foldLog(of: TestBook.ada)
    #expect(try await store.rebuild(from: log) == verdict.position)
    #expect(try book.sealedReader().checkProjections(of: TestBook.ada).ok)
    #expect(try book.sealedReader().checkProjections(of: TestBook.bob).problems.count == 2)
    // The writer continues from the rebuilt rows.
    _ = try await store.append(
      Append([ProposedEvent(.sessionExpired, account: TestBook.ada, session: TestBook.session)]))
    #expect(try book.sealedReader().checkProjections(of: TestBook.ada).ok)
    let all = try book.sealedReader().foldLog()
    _ = try await store.rebuild(from: all)
    #expect(try book.sealedReader().checkProjections().ok)
    #expect(try Self.rows(of: book).count == before.count)
  }

  @Test func `one account's fold takes its later events, and no other account's`()
    async throws
  {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    let log = try book.sealedReader().foldLog(of: TestBook.ada)
    let expired = ProposedEvent(
      .sessionExpired, account: TestBook.ada, session: TestBook.session)
    _ = try await store.append(Append([expired]))
    _ = try await store.append(.note())
    let position = try await store.rebuild(from: log)
    #expect(position == Position(rawValue: 8))
    #expect(try book.sealedReader().checkProjections().ok)
  }

  @Test func `projections of another version of the folds are rebuilt at the next open`()
    async throws
  {
    let book = try await TestBook.written(events: 3)
    let before = try Self.rows(of: book)
    try book.tamper(
      "UPDATE head SET folds = 0", "DELETE FROM account_state", "DELETE FROM session_state")
    let store = try await book.open()
    await store.close()
    #expect(try Self.rows(of: book) == before)
    #expect(try book.sealedReader().checkProjections().ok)
  }
}
