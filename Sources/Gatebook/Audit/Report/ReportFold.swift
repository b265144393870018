/// Folds a book into a report in one pass: what it holds depends on limits, and not on the book.
struct ReportFold {
  private let names: EventNames
  private let streams: [Int64: LaneFold]
  private let order: [Int64]
  private let others = LaneFold(nil)
  private let own = LaneFold(nil)
  private var scale = ReportScale()
  private var days = ReportDays()
  private var newest: NewestPositions
  private var kinds: [Int64: Kind] = [:]
  private var totals: [String: Int64] = [:]
  private var events: Int64 = 0
  private var range: ClosedRange<Timestamp>?

  /// What a kind's number stands for, and how often it came.
  private struct Kind {
    let name: String
    let kind: EventKind?
    let mark: ReportMark?
    var count: Int64 = 0
  }

  /// From year 1 to year 9999: a clock that says anything else is not believed.
  private static let believable: ClosedRange<Int64> =
    -62_135_596_800_000_000...253_402_300_799_999_999

  private static func believed(_ moment: Timestamp) -> Timestamp {
    Timestamp(
      rawValue: min(max(moment.rawValue, believable.lowerBound), believable.upperBound))
  }

  /// A strange book may know any number of kinds.
  private static let mostKinds = 1000

  init(
    _ streams: [(number: Int64, account: AccountID)], _ states: [AccountID: AccountState],
    _ names: EventNames, rows: Int
  ) {
    self.names = names
    self.streams = Dictionary(
      streams.map { ($0.number, LaneFold($0.account, states[$0.account])) },
      uniquingKeysWith: { $1 })
    order = streams.map(\.number)
    newest = NewestPositions(limit: rows)
  }

  mutating func apply(_ row: EventRow) throws(GatebookError) {
    let kind = try kind(row.kind)
    let moment = Self.believed(row.at)
    events += 1
    newest.add(row.position)
    include(moment)
    if let mark = kind.mark { days.count(mark, at: moment) }
    guard row.account != 0 else { return own.count(kind.mark, at: moment, scale) }
    guard let lane = streams[row.account] else {
      return others.count(kind.mark, at: moment, scale)
    }
    lane.count(kind.mark, at: moment, scale)
    try lane.apply(row, kind.kind, at: moment, names)
  }

  private mutating func include(_ moment: Timestamp) {
    let whole = range ?? moment...moment
    range = min(whole.lowerBound, moment)...max(whole.upperBound, moment)
    let times = scale.include(moment)
    guard times > 0 else { return }
    for lane in streams.values { lane.widen(times) }
    others.widen(times)
    own.widen(times)
  }

  private mutating func kind(_ number: Int64) throws(GatebookError) -> Kind {
    if kinds[number] == nil {
      if kinds.count >= Self.mostKinds { settle() }
      let name = try names.kind(number)
      kinds[number] = Kind(
        name: name, kind: EventKind(rawValue: name), mark: ReportMark(name))
    }
    kinds[number]?.count += 1
    return kinds[number] ?? Kind(name: "", kind: nil, mark: nil)
  }

  /// Adds the counts up by name; kinds that nobody knows are not told apart.
  private mutating func settle() {
    for kind in kinds.values where kind.kind != nil {
      totals[kind.name, default: 0] += kind.count
    }
    kinds.removeAll(keepingCapacity: true)
  }

  /// The report on what was folded.
  ///
  /// - Parameters:
  ///   - accounts: How many accounts were folded.
  ///   - now: What time has ended by then has ended.
  /// - Returns: The report.
  mutating func report(accounts: Int64, at now: Moment) -> BookReport {
    settle()
    // What goes on goes on until now; a log may be ahead of this clock, too.
    if events > 0 { include(Self.believed(now.wall)) }
    let folds = order.compactMap { streams[$0] }
    let start = range?.lowerBound ?? now.wall
    let end = range?.upperBound ?? now.wall
    var lanes = folds.compactMap { $0.lane(until: end, at: now) }
    let rest = accounts - Int64(lanes.count)
    if let lane = others.lane(others: rest, until: end, at: now) { lanes.append(lane) }
    // The book's opening alone is no course of anything.
    if let lane = own.lane(until: end, at: now), !lane.bins.isEmpty { lanes.append(lane) }
    return BookReport(
      events: events, totals: totals, accounts: accounts, start: start, end: end, scale: scale,
      days: days, lanes: lanes, oldestRow: newest.oldest)
  }
}
