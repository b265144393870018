/// Folds a book into a report in one pass: what it holds depends on limits and on how many accounts
/// there are, and not on how long the log is.
struct ReportFold {
  private let names: EventNames
  private let time: TimeSpan
  /// The last event that counts for what sessions are like.
  private let last: Position
  private let streams: [Int64: LaneFold]
  /// The same in the order in which they are reported.
  private let lanes: [LaneFold]
  private let others = LaneFold(nil)
  private let own = LaneFold(nil)
  /// Which accounts the lane of the others stands for; only of a time that is not the whole.
  private var seen: Set<Int64> = []
  private var scale = ReportScale()
  private var days = ReportDays()
  private let rows: Int
  /// The newest positions, at least as many as there are rows.
  private var newest: [Position] = []
  /// What the rules find meanwhile.
  private(set) var findings = FindingFold()
  private var kinds: [Int64: Kind] = [:]
  /// A strange book may know any number of kinds: no more of them are kept in mind at once.
  private static let mostKinds = 1024
  /// How often each known kind came, in the order in which they came first.
  private var totals: [(kind: EventKind, count: Int64)] = []
  private var events: Int64 = 0
  private var range: ClosedRange<Timestamp>?

  /// What a kind's number stands for.
  private struct Kind {
    /// The kind; `nil` for one that this version does not know.
    let kind: EventKind?
    let mark: ReportMark?
    /// Where it is counted.
    let total: Int?
    /// Whether some rule sees it.
    let isWatched: Bool
  }

  /// From year 1 to year 9999: a clock that says anything else is not believed.
  private static let believable: ClosedRange<Int64> =
    -62_135_596_800_000_000...253_402_300_799_999_999

  private static func believed(_ moment: Timestamp) -> Timestamp {
    Timestamp(
      rawValue: min(max(moment.rawValue, believable.lowerBound), believable.upperBound))
  }

  init(
    _ lanes: [(stream: Int64, fold: LaneFold)], _ names: EventNames, of time: TimeSpan,
    statesUpTo last: Position, rows: Int
  ) {
    self.names = names
    self.time = time
    self.last = last
    streams = Dictionary(lanes.map { ($0.stream, $0.fold) }, uniquingKeysWith: { $1 })
    self.lanes = lanes.map(\.fold)
    self.rows = rows
  }

  mutating func apply(_ entry: ScannedEntry) throws(GatebookError) {
    let kind = try kind(entry.kind)
    let moment = Self.believed(entry.at)
    if time.contains(entry.at) { count(entry, at: moment, kind) }
    guard entry.position <= last, let lane = streams[entry.account] else { return }
    try lane.apply(entry, kind.kind, at: moment, names)
  }

  /// Counts an event of the reported time.
  private mutating func count(_ entry: ScannedEntry, at moment: Timestamp, _ kind: Kind) {
    if let total = kind.total { totals[total].count += 1 }
    if let known = kind.kind, kind.isWatched { findings.take(ScannedEvent(entry, known)) }
    events += 1
    newest.append(entry.position)
    if newest.count >= 2 * rows { newest.removeFirst(rows) }
    include(moment)
    if let mark = kind.mark { days.count(mark, at: moment) }
    guard entry.account != 0 else { return own.count(kind.mark, at: moment, scale) }
    guard let lane = streams[entry.account] else {
      if time != .whole { seen.insert(entry.account) }
      return others.count(kind.mark, at: moment, scale)
    }
    if kind.kind == .sessionRestored { lane.countOffline() }
    lane.count(kind.mark, at: moment, scale)
  }

  private mutating func include(_ moment: Timestamp) {
    if let range, range.contains(moment) { return }
    let whole = range ?? moment...moment
    range = min(whole.lowerBound, moment)...max(whole.upperBound, moment)
    let times = scale.include(moment)
    guard times > 0 else { return }
    for lane in lanes + [others, own] { lane.widen(times) }
  }

  private mutating func kind(_ number: Int64) throws(GatebookError) -> Kind {
    if let known = kinds[number] { return known }
    if kinds.count >= Self.mostKinds { kinds = [:] }
    let name = try names.kind(number)
    let known = EventKind(rawValue: name)
    let kind = Kind(
      kind: known, mark: ReportMark(name), total: known.map { total(of: $0) },
      isWatched: known.map(findings.kinds.contains) == true)
    kinds[number] = kind
    return kind
  }

  private mutating func total(of kind: EventKind) -> Int {
    if let known = totals.firstIndex(where: { $0.kind == kind }) { return known }
    totals.append((kind, 0))
    return totals.count - 1
  }

  /// The report on what was folded.
  ///
  /// - Parameters:
  ///   - accounts: How many accounts there are; `nil` for those that had an event or a session in
  ///     the time.
  ///   - found: What the rules found.
  ///   - now: What time has ended by then has ended.
  /// - Returns: The report.
  mutating func report(
    accounts: Int64? = nil, findings found: [Finding], at now: Moment
  ) -> BookReport {
    // An open session lasts until now; a log may be ahead of this clock, too.
    if events > 0 || time.start != nil { include(Self.believed(now.wall)) }
    if let since = time.start { include(Self.believed(since)) }
    let start = range?.lowerBound ?? now.wall
    let end = range?.upperBound ?? now.wall
    var lanes = lanes.compactMap { $0.lane(until: end, at: now) }
    let accounts = accounts ?? Int64(lanes.count + seen.count)
    let rest = accounts - Int64(lanes.count)
    if let lane = others.lane(others: rest, until: end, at: now) { lanes.append(lane) }
    // The book's opening alone is no course of anything.
    if let lane = own.lane(until: end, at: now), !lane.bins.isEmpty { lanes.append(lane) }
    return BookReport(
      events: events, totals: Dictionary(uniqueKeysWithValues: totals.map { ($0, $1) }),
      accounts: accounts, start: start, end: end, scale: scale,
      days: days, lanes: lanes, findings: found, oldestRow: newest.suffix(rows).first)
  }
}
