/// Folds one stream, or several without their states, into a lane.
final class LaneFold {
  private let account: AccountID?
  private let since: Timestamp?
  private var state: AccountState?
  private var spans: [ReportSpan] = []
  private var open: ReportSpan?
  private var hasEarlierSpans = false
  private var offline = 0
  private var bins: [Int64: ReportCounts] = [:]
  private(set) var events: Int64 = 0
  private var first: Timestamp?
  private var last: Timestamp?
  /// The session that came last: nearly always the next event's, too.
  private var session: (number: Int64, id: SessionID)?

  /// Makes a fold; without an account it counts only.
  ///
  /// - Parameters:
  ///   - account: Whose stream it is.
  ///   - state: What the stream begins with, where its past is in an archive.
  ///   - begun: When the log begins then.
  ///   - since: What was over by then has no span.
  init(
    _ account: AccountID?, _ state: AccountState? = nil, at begun: Timestamp? = nil,
    since: Timestamp? = nil
  ) {
    self.account = account
    self.state = state
    self.since = since
    if let begun { follow(at: begun, goesOn: true) }
  }

  func count(_ mark: ReportMark?, at moment: Timestamp, _ scale: ReportScale) {
    events += 1
    first = min(first ?? moment, moment)
    last = max(last ?? moment, moment)
    if let mark { bins[scale.bin(of: moment), default: ReportCounts()].add(mark) }
  }

  /// Counts that it was resumed without its server.
  func countOffline() { offline += 1 }

  /// Joins bins with their neighbours, two and two, so many times.
  func widen(_ times: Int64) {
    var wider: [Int64: ReportCounts] = [:]
    for (bin, counts) in bins { wider[bin >> times, default: ReportCounts()].add(counts) }
    bins = wider
  }

  /// Takes the stream's next event.
  func apply(
    _ row: ScannedEntry, _ kind: EventKind?, at moment: Timestamp, _ names: EventNames
  ) throws(GatebookError) {
    let entry = LogEntry(
      position: row.position, account: account, revision: row.revision,
      session: try session(row.session, names), kind: kind, at: row.at,
      data: FactScanner(row.data))
    if kind == .accountAdded {
      state = AccountState(added: entry)
    } else {
      state?.apply(entry)
      follow(at: moment)
    }
  }

  private func session(
    _ number: Int64?, _ names: EventNames
  ) throws(GatebookError) -> SessionID? {
    guard let number else { return nil }
    if let session, session.number == number { return session.id }
    guard let id = try names.session(number) else { return nil }
    session = (number, id)
    return id
  }

  /// Begins a new span where the state has changed; what has ended for good has none.
  private func follow(at moment: Timestamp, goesOn: Bool = false) {
    guard let current = state?.state, let session = state?.session else { return }
    let shown = state?.openChallenges.isEmpty == true ? current : .challenged
    if let open, open.session == session, Self.isSame(open.state, shown) { return }
    let former = open?.session
    close(at: moment)
    open = nil
    if case .ended = shown { return }
    open = ReportSpan(
      start: moment, end: moment, state: shown, session: session,
      isFirst: !goesOn && former != session)
  }

  /// A resumed session that is resumed again continues.
  private static func isSame(_ left: SessionState, _ right: SessionState) -> Bool {
    if case .offline = left, case .offline = right { return true }
    return left == right
  }

  private func close(at moment: Timestamp) {
    guard var span = open else { return }
    // A clock may have been set back.
    span.end = max(span.start, moment)
    if let since, span.start < since {
      guard span.end > since else { return }
      span = ReportSpan(
        start: since, end: span.end, state: span.state, session: span.session, isFirst: false)
    }
    spans.append(span)
    guard spans.count >= 2 * ReportLane.mostSpans else { return }
    spans.removeFirst(spans.count - ReportLane.mostSpans)
    hasEarlierSpans = true
  }

  /// The lane, up to a moment.
  ///
  /// - Parameters:
  ///   - others: How many accounts one without an account stands for; `nil` for the book itself.
  ///   - end: When what is not over yet is cut.
  ///   - now: What time has ended by then has ended.
  /// - Returns: The lane; `nil` where nothing was, and no session.
  func lane(others: Int64? = nil, until end: Timestamp, at now: Moment) -> ReportLane? {
    var latest = state?.session == nil ? nil : state?.state
    if let over = state?.unrecordedEnd(at: now), let session = state?.session {
      let moment = min(over.at, end)
      close(at: moment)
      latest = .needsLogin(over.reason)
      open = ReportSpan(
        start: moment, end: moment, state: .needsLogin(over.reason), session: session,
        isFirst: false)
    }
    close(at: end)
    guard first != nil || spans.contains(where: { $0.state.name != "needsLogin" }) else {
      return nil
    }
    let newest = spans.suffix(ReportLane.mostSpans)
    return ReportLane(
      owner: owner(others), state: latest, spans: Array(newest),
      hasEarlierSpans: hasEarlierSpans || newest.count < spans.count, offline: offline,
      bins: bins.sorted { $0.key < $1.key }.map { (bin: $0.key, counts: $0.value) },
      events: events, first: first, last: last)
  }

  private func owner(_ others: Int64?) -> ReportLane.Owner {
    guard let account else { return others.map { .others($0) } ?? .book }
    return .account(account, method: state?.method ?? "", server: state?.server ?? "")
  }
}
