import GatebookEvents
import Testing

@testable import GatebookStore

@Suite struct EventFilterTests {
  private static let kinds: [EventKind] = [
    .loginFailed, .sessionVerified, .refreshDeferred, .cookiesChanged, .loginStarted,
    .sessionUncertain,
  ]

  /// Positions 1 to 7 are the book's beginning and two logins, 8 to 67 go round accounts and kinds.
  private static func makeBook() async throws -> TestBook {
    let book = try TestBook()
    let store = try await book.open()
    _ = try await store.append(.login(TestBook.ada, TestBook.session))
    _ = try await store.append(.login(TestBook.bob, SessionID(high: 0x5E55, low: 2)))
    let accounts = [TestBook.ada, TestBook.bob, nil]
    _ = try await store.append(
      Append(
        (0..<60).map { index in
          ProposedEvent(
            kinds[index % kinds.count], account: accounts[index % 7 % 3],
            session: index.isMultiple(of: 5) ? TestBook.session : nil)
        }))
    return book
  }

  private static let filters: [@Sendable (inout EventFilter) -> Void] = [
    { _ in },
    { $0.account = TestBook.ada },
    { $0.account = AccountID(high: 0, low: 9) },
    { $0.session = TestBook.session },
    { $0.session = SessionID(high: 0, low: 9) },
    { $0.kind = "login.failed" },
    { $0.kind = "login." },
    { $0.kind = "login" },
    { $0.kind = "*." },
    { $0.kind = "" },
    { $0.failedOnly = true },
    { $0.since = StepClock.start + .milliseconds(20) },
    { $0.until = StepClock.start + .milliseconds(20) },
    {
      $0.since = StepClock.start + .milliseconds(12)
      $0.until = StepClock.start + .milliseconds(40)
    },
    {
      $0.account = TestBook.bob
      $0.kind = "session."
    },
    {
      $0.account = TestBook.ada
      $0.session = TestBook.session
      $0.failedOnly = true
    },
  ]

  /// What a filter means, said a second time.
  private static func lets(_ event: RecordedEvent, _ filter: EventFilter) -> Bool {
    let isKind =
      filter.kind.map { kind in
        event.kind == kind || kind.hasSuffix(".") && event.kind.hasPrefix(kind)
      } ?? true
    let isFailed =
      event.kind.hasSuffix(".failed")
      || ["session.ended", "session.uncertain", "refresh.deferred"].contains(event.kind)
    return (filter.account == nil || event.account == filter.account)
      && (filter.session == nil || event.session == filter.session)
      && isKind && (!filter.failedOnly || isFailed)
      && (filter.since.map { event.at >= $0 } ?? true)
      && (filter.until.map { event.at < $0 } ?? true)
      && event.position > (filter.after ?? .start)
  }

  @Test func `a filter lets through what it says, from the side that it says`() async throws {
    let reader = try await Self.makeBook().reader()
    let all = try reader.events(EventFilter())
    #expect(all.count == 67)
    for (index, change) in Self.filters.enumerated() {
      for after in [nil, .start, Position(rawValue: 30), Position(rawValue: 67)] as [Position?] {
        for limit in [nil, 0, 1, 7, 1000] as [Int?] {
          var filter = EventFilter()
          change(&filter)
          filter.after = after
          filter.limit = limit
          let matching = all.filter { Self.lets($0, filter) }
          let count = limit ?? matching.count
          let expected = after == nil ? matching.suffix(count) : matching.prefix(count)
          #expect(try reader.events(filter) == Array(expected), "filter \(index)")
        }
      }
    }
  }

  @Test func `a position after the end is unknown`() async throws {
    let reader = try await Self.makeBook().reader()
    #expect(try reader.event(at: Position(rawValue: 68)) == nil)
    #expect(try reader.event(at: .start) == nil)
    #expect(try reader.event(at: Position(rawValue: 67))?.position.rawValue == 67)
  }

  @Test func `as of a moment is the position before the first later event`() async throws {
    let reader = try await Self.makeBook().reader()
    let all = try reader.events(EventFilter())
    // The events of one append happen together: they have one time.
    for event in all {
      let before = all.count { $0.at < event.at }
      let upTo = all.count { $0.at <= event.at }
      #expect(try reader.position(asOf: event.at).rawValue == Int64(upTo))
      #expect(
        try reader.position(asOf: event.at - .microseconds(1)).rawValue == Int64(before))
    }
    #expect(try reader.position(asOf: Timestamp(rawValue: .min)) == .start)
    #expect(try reader.position(asOf: Timestamp(rawValue: .max)) == Position(rawValue: 67))
  }

  @Test func `a snapshot does not move while others write`() async throws {
    let book = try await TestBook.written(events: 0)
    let store = try await book.open()
    let reader = try book.reader()
    let watcher = try book.reader()
    let version = try watcher.commitMark()
    let before = try reader.inSnapshot { () throws(GatebookError) in try reader.head().size }
    _ = try await store.append(.note())
    #expect(try watcher.commitMark() != version)
    #expect(try reader.head().size == before + 1)
    let connection = reader.connection
    try connection.execute("BEGIN")
    #expect(try reader.head().size == before + 1)
    _ = try await store.append(.note())
    #expect(try reader.head().size == before + 1)
    try connection.execute("COMMIT")
    #expect(try reader.head().size == before + 2)
  }
}
