import GatebookEvents
import GatebookTestSupport

@testable import GatebookStore

/// A book with exactly so many events of three streams, over many days, and its rows of the past.
enum RollupBook {
  private static let kinds: [EventKind] = [
    .refreshStarted, .refreshSucceeded, .sessionVerified, .cookiesChanged, .loginFailed,
    .accountSwitched, .logoutRequested, .loginSucceeded,
  ]

  static func make(events: Int, seed: UInt64 = 1) async throws -> TestBook {
    var book = try TestBook()
    book.clock = StepClock(step: .seconds(700))
    let store = try await book.open()
    try await fill(store, from: 1, upTo: events, seed: seed)
    await store.close()
    return book
  }

  /// Appends random events until there are so many.
  static func fill(
    _ store: EventStore, from size: Int, upTo events: Int, seed: UInt64
  ) async throws {
    var random = SplitMix(seed: seed)
    var size = size
    if size == 1 {
      _ = try await store.append(.login(TestBook.ada, TestBook.session))
      _ = try await store.append(.login(TestBook.bob, SessionID(high: 0x5E55, low: 2)))
      size = 7
    }
    while size < events {
      let count = min(events - size, Int.random(in: 1...500, using: &random))
      let append = Append((0..<count).map { _ in event(&random) })
      _ = try await store.append(append)
      size += count
    }
  }

  private static func event(_ random: inout SplitMix) -> ProposedEvent {
    let account = [TestBook.ada, TestBook.ada, TestBook.bob, nil].randomElement(using: &random)
    let number = Int.random(in: 0..<kinds.count * 4, using: &random)
    // Some kinds are rare, so that there are blocks without them.
    let kind = kinds[number < kinds.count ? number : number % 4]
    guard let account = account ?? nil else { return ProposedEvent(.clockObserved) }
    return ProposedEvent(
      kind, account: account, session: account == TestBook.ada ? TestBook.session : nil,
      data: [
        "generation": .integer(Int64(number)),
        "to": kind == .accountSwitched ? .text(account.description) : nil,
      ])
  }

  /// All rows of the past as text, in order.
  static func rows(_ book: TestBook) throws -> [String] {
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    let statement = try connection.statement(
      """
      SELECT printf('block %d %d %d %d %d', level, number, earliest, latest, kinds) FROM block
      UNION ALL SELECT printf('tally %d %d %d %d', part, number, kind, events) FROM tally
      UNION ALL SELECT printf('snapshot %d %d %s', account, position, hex(state)) FROM snapshot
      ORDER BY 1
      """)
    defer { statement.reset() }
    var rows: [String] = []
    while try statement.step() { rows.append(statement.text(0)) }
    return rows
  }

  /// The statements that make a book as it was before there were such rows.
  static let older = [
    "DROP TABLE opening", "DROP TABLE opening_row", "DROP TABLE opening_event", "DROP TABLE lost",
    "DROP TABLE archive", "DROP TABLE block", "DROP TABLE tally", "DROP TABLE snapshot",
    "DROP TABLE copy", "DROP TABLE unwiped", "DROP TABLE document", "DROP TABLE pulled",
    "PRAGMA user_version = 2",
  ]
}
