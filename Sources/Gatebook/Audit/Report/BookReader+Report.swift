extension BookReader {
  /// Looks through a book once for a report.
  ///
  /// For a part of the book's time, only its events are listed; the states of its sessions follow
  /// from all events before.
  ///
  /// - Parameters:
  ///   - account: Only this account's stream; `nil` for the whole book.
  ///   - time: Only what happened in it, and what sessions were like up to its end.
  ///   - end: The last event that counts.
  ///   - now: What time has ended by then counts as ended, though nobody has recorded it.
  ///   - rows: How many of the newest events are listed.
  ///   - lanes: How many accounts have lanes of their own: those with the newest events.
  ///   - progress: Hears how far it has come, now and then; what it throws ends the work.
  /// - Returns: The report. It takes the same room however long the log is.
  /// - Throws: What `progress` throws; `configuration.invalid` for a time that only an archive
  ///   knows; `storage` failures.
  package func report(
    of account: AccountID? = nil, in time: TimeSpan = .whole, upTo end: Position, at now: Moment,
    rows: Int = BookReport.mostRows, lanes: Int = BookReport.mostLanes,
    progress: (Position) throws(GatebookError) -> Void = { _ in }
  ) throws(GatebookError) -> BookReport {
    let over = time.end(before: now.wall)
    // As everywhere, a time is over before the first event that is later.
    let last = try over.map { moment throws(GatebookError) in
      min(end, try position(asOf: moment - .microseconds(1)))
    }
    let streams: [(number: Int64, account: AccountID)]
    if let account {
      streams = try stream(of: account).map { [(number: $0, account: account)] } ?? []
    } else {
      streams = try newestStreams(upTo: last ?? end, limit: lanes)
    }
    // Sessions that are older than the log are drawn from its first own event on.
    let begun = try continuation().flatMap { past throws(GatebookError) in
      try event(at: Position(rawValue: past.floor.rawValue + 1))?.at
    }
    let folds = try streams.map { (stream) throws(GatebookError) in
      LaneFold(
        stream.account, try baselineState(of: stream.account), at: begun, since: time.start)
    }
    var fold = ReportFold(
      Array(zip(streams.map(\.number), folds)), eventNames, of: time, statesUpTo: last ?? end,
      rows: rows)
    var reached = Position.start
    while reached < end {
      // In parts: a transaction that stays open keeps the write-ahead log from being emptied.
      let seen = try scanEntries(after: reached, upTo: end, of: account, limit: 8192) {
        entry throws(GatebookError) in try fold.apply(entry)
      }
      reached = seen ?? end
      try progress(reached)
    }
    let findings = try findings(fold.findings, of: account, until: time.end, at: now)
    // Of the past only the wall clock is known.
    let moment = over.map { Moment(wall: $0, boot: .zero) } ?? now
    guard time == .whole else { return fold.report(findings: findings, at: moment) }
    return fold.report(
      accounts: account == nil ? try streamCount() : Int64(streams.count), findings: findings,
      at: moment)
  }
}
