internal import GatebookTestSupport
internal import Testing

@testable internal import Gatebook

/// `BookReader.report`.
struct BookReportTests {
  private static let now = Moment(
    wall: Timestamp(rawValue: 1_780_000_000_000_000), boot: .seconds(1))

  private func sample(
    renewals: Int = 1
  ) async throws -> (reader: BookReader, end: Position, book: TestBook) {
    let book = try TestBook()
    try await SampleBook.make(at: book.path, key: book.keyPath, renewals: renewals)
    let reader = try BookReader.open(at: book.path)
    return (reader, Position(rawValue: try reader.head().size), book)
  }

  @Test func `a mark is a failure exactly where the log says failed`() async throws {
    let (reader, _, book) = try await sample()
    var filter = EventFilter()
    filter.failedOnly = true
    let failed = Set(try reader.events(filter).map(\.position))
    let marked = try reader.events(EventFilter()).filter { ReportMark($0.kind) == .failure }
    #expect(Set(marked.map(\.position)) == failed)
    #expect(!failed.isEmpty)
    withExtendedLifetime(book) {}
  }

  /// Expects the figures of a report to be those of events.
  private func expect(_ report: BookReport, tells events: [RecordedEvent]) {
    #expect(report.events == Int64(events.count))
    for kind in EventKind.allCases {
      #expect(report.count(of: kind) == Int64(events.count { $0.isKind(kind) }))
    }
    for mark in ReportMark.allCases {
      let count = events.count { ReportMark($0.kind) == mark }
      #expect(report.lanes.reduce(0) { $0 + $1.counts[mark] } == count)
      #expect(report.days.days.reduce(0) { $0 + $1.counts[mark] } == count)
    }
  }

  @Test func `all figures are those of the events`() async throws {
    let (reader, end, book) = try await sample()
    let report = try reader.report(upTo: end, at: Self.now)
    let events = try reader.events(EventFilter())
    expect(report, tells: events)
    #expect(report.accounts == 5)
    #expect(report.start == events.first?.at)
    #expect(report.end == Self.now.wall)
    let early = Moment(wall: events[2].at, boot: .seconds(1))
    #expect(try reader.report(upTo: end, at: early).end == events.map(\.at).max())
    withExtendedLifetime(book) {}
  }

  @Test func `the lanes are the sessions of each account`() async throws {
    let (reader, end, book) = try await sample()
    let report = try reader.report(upTo: end, at: Self.now)
    #expect(report.lanes.count == 6)
    for lane in report.lanes.dropLast() {
      guard case .account(let account, let method, let server) = lane.owner else {
        Issue.record("\(lane.owner)")
        continue
      }
      let context = try #require(try reader.context(of: account))
      #expect(method == context.method)
      #expect(server == context.server)
      #expect(lane.state == context.state)
      let sessions = try reader.sessions(of: account)
      let first = lane.spans.filter(\.isFirst)
      #expect(first.map(\.session) == sessions.map(\.id))
      #expect(first.map(\.start) == sessions.map(\.started))
      for (span, next) in zip(lane.spans, lane.spans.dropFirst()) {
        #expect(span.end <= next.start)
        #expect(span.end == next.start || next.isFirst)
      }
      #expect(lane.spans.contains { $0.state.name == "offline" })
      #expect(lane.offline > 0)
    }
    #expect(report.lanes.contains { $0.spans.contains { $0.state == .challenged } })
    #expect(report.lanes.last?.owner == .book)
    withExtendedLifetime(book) {}
  }

  @Test func `a report of one account has its events alone`() async throws {
    let (reader, end, book) = try await sample()
    let account = try #require(try reader.accounts().last?.account)
    let report = try reader.report(of: account, upTo: end, at: Self.now)
    var filter = EventFilter()
    filter.account = account
    #expect(report.events == Int64(try reader.events(filter).count))
    #expect(report.lanes.count == 1)
    #expect(report.accounts == 1)
    withExtendedLifetime(book) {}
  }

  @Test func `what comes later is not in it`() async throws {
    let (reader, end, book) = try await sample()
    let half = Position(rawValue: end.rawValue / 2)
    let report = try reader.report(upTo: half, at: Self.now, rows: 10)
    #expect(report.events == half.rawValue)
    #expect(report.oldestRow == Position(rawValue: half.rawValue - 9))
    withExtendedLifetime(book) {}
  }

  @Test func `a span shows its own events, and the sessions that continued in it`()
    async throws
  {
    let (reader, end, book) = try await sample()
    let all = try reader.events(EventFilter())
    // After the first sessions, and before most of the end.
    for (first, last) in [(0.3, 0.6), (0.5, 0.501), (0.8, 0.99)] {
      let since = all[Int(Double(all.count) * first)].at + .microseconds(1)
      let until = all[Int(Double(all.count) * last)].at + .seconds(1)
      let time = TimeSpan(start: since, end: until)
      let report = try reader.report(in: time, upTo: end, at: Self.now)
      let events = all.filter { since <= $0.at && $0.at < until }
      expect(report, tells: events)
      #expect(report.start == since && report.end == until)
      #expect(report.oldestRow == events.first?.position)
      #expect(report.findings == (try reader.findings(since: since, until: until, at: Self.now)))
      // What the lanes show is what the book was at the end, also where nothing happened meanwhile.
      let then = try reader.position(asOf: until - .microseconds(1))
      var told: Set<AccountID> = []
      for lane in report.lanes {
        guard case .account(let account, _, _) = lane.owner else { continue }
        told.insert(account)
        let clocks = Moment(wall: until, boot: .zero)
        let context = try reader.context(of: account, asOf: then, at: clocks)
        #expect(lane.state == context?.state)
        #expect(
          lane.spans.allSatisfy { $0.start >= since && $0.end <= until && $0.start <= $0.end })
      }
      #expect(report.accounts == Int64(told.count))
      for account in try reader.accounts().map(\.account) where !told.contains(account) {
        #expect(!events.contains { $0.account == account })
        #expect(try reader.context(of: account, asOf: then)?.state.isUsable != true)
      }
    }
    withExtendedLifetime(book) {}
  }

  @Test func `accounts without a lane are counted where they had an event in the time`()
    async throws
  {
    let (reader, end, book) = try await sample()
    let all = try reader.events(EventFilter())
    let time = TimeSpan(start: all[all.count / 2].at, end: nil)
    let report = try reader.report(in: time, upTo: end, at: Self.now, lanes: 1)
    let active = Set(all.filter { $0.at >= all[all.count / 2].at }.compactMap(\.account))
    #expect(active.count > 1)
    #expect(report.accounts == Int64(active.count) && report.end == Self.now.wall)
    withExtendedLifetime(book) {}
  }

  @Test func `sessions that are older than the log are drawn from its beginning on`()
    async throws
  {
    let (world, server, book) = try await TokenServer.stage()
    let ada = try await book.logIn(server.method()).account
    let pages = try await world.open(BasicServer().transport)
    let gone = try await pages.logIn(.basic()).account
    try await pages.logOut(gone)
    _ = try await book.archive(to: world.path + ".archive")
    let reader = try BookReader.open(at: world.path)
    let end = Position(rawValue: try reader.head().size)
    let began = try #require(try reader.event(at: end)?.at)
    for account in [nil, ada] {
      let report = try reader.report(of: account, upTo: end, at: world.clock.now())
      let lane = try #require(report.lanes.first)
      guard case .account(ada, _, _) = lane.owner else {
        Issue.record("\(lane.owner)")
        continue
      }
      #expect(lane.state == .active && lane.events == 0)
      #expect(lane.spans.map(\.start) == [began] && lane.spans.map(\.isFirst) == [false])
    }
    // Accounts that ended before have no lane, and are counted.
    let whole = try reader.report(upTo: end, at: world.clock.now())
    #expect(whole.accounts == 2)
    let told = whole.lanes.contains { lane in
      if case .account(gone, _, _) = lane.owner { true } else { false }
    }
    #expect(!told)
  }

  @Test func `a longer book makes no larger report`() async throws {
    let (short, shortEnd, first) = try await sample()
    let (long, longEnd, second) = try await sample(renewals: 20)
    #expect(longEnd.rawValue > shortEnd.rawValue * 8)
    let reports = [
      try short.report(upTo: shortEnd, at: Self.now), try long.report(upTo: longEnd, at: Self.now),
    ]
    let sizes = reports.map { report in
      report.lanes.reduce(0) { $0 + $1.spans.count + $1.bins.count } + report.days.days.count
    }
    #expect(sizes[0] == sizes[1])
    withExtendedLifetime((first, second)) {}
  }
}
