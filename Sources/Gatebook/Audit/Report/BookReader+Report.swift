extension BookReader {
  /// Looks through a book once for a report.
  ///
  /// - Parameters:
  ///   - account: Only this account's stream; `nil` for the whole book.
  ///   - end: The last event that counts.
  ///   - now: What time has ended by then counts as ended, though nobody has recorded it.
  ///   - rows: How many of the newest events are told one by one.
  ///   - progress: Hears how far it has come, now and then; what it throws ends the work.
  /// - Returns: The report. It takes the same room however long the book is.
  /// - Throws: What `progress` throws; `storage` failures.
  package func report(
    of account: AccountID? = nil, upTo end: Position, at now: Moment,
    rows: Int = BookReport.mostRows,
    progress: (Position) throws(GatebookError) -> Void = { _ in }
  ) throws(GatebookError) -> BookReport {
    let streams: [(number: Int64, account: AccountID)]
    if let account {
      streams = try stream(of: account).map { [(number: $0, account: account)] } ?? []
    } else {
      streams = try newestStreams(limit: BookReport.mostLanes)
    }
    var states: [AccountID: AccountState] = [:]
    for stream in streams { states[stream.account] = try openingState(of: stream.account) }
    var fold = ReportFold(streams, states, eventNames, rows: rows)
    var last = Position.start
    while last < end {
      // In parts: a transaction that stays open keeps the write-ahead log from being emptied.
      let seen = try scanEntries(after: last, upTo: end, of: account, limit: 8192) {
        entry throws(GatebookError) in try fold.apply(entry)
      }
      last = seen ?? end
      try progress(last)
    }
    return fold.report(
      accounts: account == nil ? try streamCount() : Int64(streams.count),
      findings: try findings(fold.findings, of: account, at: now), at: now)
  }
}
