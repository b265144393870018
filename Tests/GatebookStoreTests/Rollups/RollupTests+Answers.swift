import GatebookEvents
import Testing

@testable import GatebookStore

extension RollupTests {
  /// What readers say about a book.
  struct Answers: Equatable {
    var contexts: [SessionContext?] = []
    var positions: [Position] = []
    var events: [[Position]] = []
    var tallies: [Tally] = []
    var days: [[Day: Tally]] = []
    var accounts: [AccountID?: Tally] = [:]
  }

  /// Asks for the past at some positions, and for events by their kinds and times.
  func answers(_ book: TestBook, every step: Int64) throws -> Answers {
    let reader = try book.sealedReader()
    let end = try reader.head().size
    var answers = Answers()
    for position in stride(from: 0, through: end, by: Int64.Stride(step)) {
      for account in [TestBook.ada, TestBook.bob] {
        answers.contexts.append(
          try reader.context(of: account, asOf: Position(rawValue: position)))
      }
    }
    let first = try #require(try reader.event(at: Position(rawValue: 1))).at
    for index in 0..<12 {
      let moment = first + .seconds(index * Int(end) * 70)
      answers.positions.append(try reader.position(asOf: moment))
    }
    for change in Self.filters(first, end) {
      for after in [nil, Position(rawValue: end / 3)] {
        for limit in [nil, 1, 40] {
          for account in [nil, TestBook.ada, TestBook.bob] {
            var filter = EventFilter(account: account)
            change(&filter)
            filter.after = after
            filter.limit = limit
            answers.events.append(try reader.events(filter).map(\.position))
          }
        }
      }
    }
    let days = Day(of: first)...Day(rawValue: Day(of: first).rawValue + 3)
    for account in [nil, TestBook.ada] {
      answers.tallies.append(try reader.tally(of: account))
      answers.tallies.append(try reader.tally(of: account, on: days))
      answers.days.append(try reader.tallyByDay(of: account))
    }
    answers.accounts = try reader.tallyByAccount()
    return answers
  }

  private static func filters(
    _ first: Timestamp, _ end: Int64
  ) -> [(inout EventFilter) -> Void] {
    let middle = first + .seconds(Int(end) * 350)
    return [
      { $0.kind = "login.failed" }, { $0.kind = "login." }, { $0.kind = "check.succeeded" },
      { $0.failedOnly = true }, { $0.since = middle }, { $0.until = middle },
      {
        $0.since = middle
        $0.until = middle + .seconds(7_000)
      },
      {
        $0.kind = "login.failed"
        $0.failedOnly = true
        $0.since = middle
      },
    ]
  }

  /// Compares what the rows of the past answer with what the log alone answers.
  func expectAnswers(_ book: TestBook, every step: Int64) throws {
    #expect(try book.sealedReader().hasRollups())
    let quick = try answers(book, every: step)
    try book.tamper("UPDATE head SET folds = 0")
    #expect(try !book.sealedReader().hasRollups())
    #expect(try answers(book, every: step) == quick)
  }

  /// Compares the counters with a count of all events.
  func expectTallies(_ book: TestBook, _ comment: Comment) throws {
    let reader = try book.sealedReader()
    let events = try reader.events(EventFilter())
    func tally(_ events: [RecordedEvent]) -> [String: Int64] {
      events.reduce(into: [:]) { $0[$1.kind, default: 0] += 1 }
    }
    #expect(try reader.tally().counts == tally(events), comment)
    let days = Dictionary(grouping: events) { Day(of: $0.at) }
    #expect(try reader.tallyByDay().mapValues(\.counts) == days.mapValues(tally), comment)
    let accounts = Dictionary(grouping: events, by: \.account)
    #expect(try reader.tallyByAccount().mapValues(\.counts) == accounts.mapValues(tally), comment)
    for account in [TestBook.ada, TestBook.bob] {
      let own = accounts[account] ?? []
      #expect(try reader.tally(of: account).counts == tally(own), comment)
      let days = Dictionary(grouping: own) { Day(of: $0.at) }
      #expect(
        try reader.tallyByDay(of: account).mapValues(\.counts) == days.mapValues(tally), comment)
    }
  }

  func upperBlocks(_ book: TestBook) throws -> Int64 {
    try BlockRows(book.sealedReader().connection).count(Block.levels.upper)
  }
}
