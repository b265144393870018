public import GatebookEvents

extension BookReader {
  private static let all = Int64.min...Int64.max

  /// The number of events of each kind.
  ///
  /// It comes from counters and takes the same time in a small and in a large book: it reads at
  /// most 255 events. For days of one account it reads the account's events.
  ///
  /// - Parameters:
  ///   - account: Only this account's stream; `nil` for the whole book.
  ///   - days: Only what happened on these days; `nil` for all.
  /// - Returns: The tally.
  /// - Throws: `storage` failures.
  public func tally(
    of account: AccountID? = nil, on days: ClosedRange<Day>? = nil
  ) throws(GatebookError) -> Tally {
    guard days == nil else {
      var sum = Tally()
      for tally in try tallyByDay(of: account, on: days).values { sum.add(tally) }
      return sum
    }
    return try inSnapshot { () throws(GatebookError) in
      guard let account else {
        return try counted(TallyKey.book, 0...0)[0] ?? Tally()
      }
      guard let number = try connection.number(of: account) else { return Tally() }
      return try counted(TallyKey.account, number...number)[number] ?? Tally()
    }
  }

  /// The number of events of each kind, for each day with events.
  ///
  /// - Parameters:
  ///   - account: Only this account's stream, which is read for it; `nil` for the whole book.
  ///   - days: Only these days; `nil` for all.
  /// - Returns: A tally for each day.
  /// - Throws: `storage` failures.
  public func tallyByDay(
    of account: AccountID? = nil, on days: ClosedRange<Day>? = nil
  ) throws(GatebookError) -> [Day: Tally] {
    let range = days.map { $0.lowerBound.rawValue...$0.upperBound.rawValue } ?? Self.all
    let tallies = try inSnapshot { () throws(GatebookError) in
      if let account { return try scanned(account, range) }
      return try counted(TallyKey.day, range)
    }
    return Dictionary(uniqueKeysWithValues: tallies.map { (Day(rawValue: $0.key), $0.value) })
  }

  /// The number of events of each kind, for each account; `nil` is the book itself.
  ///
  /// - Parameter days: Only what happened on these days: what is counted by days is not counted by
  ///   accounts, so the events of those days are read; `nil` for all.
  /// - Returns: A tally for each stream that has events.
  /// - Throws: `storage` failures.
  public func tallyByAccount(
    on days: ClosedRange<Day>? = nil
  ) throws(GatebookError) -> [AccountID?: Tally] {
    try inSnapshot { () throws(GatebookError) in
      var tallies: [AccountID?: Tally] = [:]
      let counted: [Int64: Tally] =
        if let days { try scannedByAccount(days) } else {
          try counted(TallyKey.account, Self.all)
        }
      for (number, tally) in counted {
        tallies[number == 0 ? nil : try eventNames.account(number)] = tally
      }
      return tallies
    }
  }

  /// The counts, and the events after the last full block.
  ///
  /// - Parameters:
  ///   - part: Which counters.
  ///   - range: Which of them.
  /// - Returns: A tally for each that has events.
  /// - Throws: `storage` failures.
  private func counted(
    _ part: Int64, _ range: ClosedRange<Int64>
  ) throws(GatebookError) -> [Int64: Tally] {
    var covered = try Baseline.read(connection)?.floor ?? 0
    var counts: [TallyKey: Int64] = [:]
    if try hasRollups() {
      covered = max(
        covered, try BlockRows(connection).count(Block.levels.lower) * Block.size)
      counts = try connection.table(
        """
        SELECT number, kind, events FROM tally WHERE part = ?1 AND number >= ?2 AND number <= ?3
        """, part, range.lowerBound, range.upperBound
      ) { (TallyKey(part: part, number: $0.integer(0), kind: $0.integer(1)), $0.integer(2)) }
    } else {
      // An older Gatebook has left no counters but those that the book begins with.
      counts = try BaselineRows(connection).tallies().filter {
        $0.key.part == part && range.contains($0.key.number)
      }
    }
    try count(part, range, into: &counts, "position > ?1 ORDER BY position", covered)
    return try tallies(counts)
  }

  /// What happened in one stream, by days.
  private func scanned(
    _ account: AccountID, _ days: ClosedRange<Int64>
  ) throws(GatebookError) -> [Int64: Tally] {
    var counts: [TallyKey: Int64] = [:]
    try count(
      TallyKey.day, days, into: &counts,
      "account = (SELECT number FROM account WHERE id = ?1) ORDER BY revision", account)
    return try tallies(counts)
  }

  /// What happened on some days, by streams; parts of the log without those days are not read.
  private func scannedByAccount(
    _ days: ClosedRange<Day>
  ) throws(GatebookError) -> [Int64: Tally] {
    var search = try BlockSearch(self)
    search.since = days.lowerBound.start.rawValue
    let last = days.upperBound.rawValue
    search.until = last == .max ? .max : Day(rawValue: last + 1).start.rawValue &- 1
    var counts: [TallyKey: Int64] = [:]
    try search.forEachSpan(after: 0, upTo: try head().size) { span throws(GatebookError) in
      try count(
        TallyKey.account, Self.all, into: &counts,
        "position > ?1 AND position <= ?2 AND at >= ?3 AND at <= ?4 ORDER BY position",
        span.start, span.end, search.since, search.until)
      return true
    }
    return try tallies(counts)
  }

  /// Counts the events that a condition lets through.
  private func count<each Value: Bindable>(
    _ part: Int64, _ range: ClosedRange<Int64>, into counts: inout [TallyKey: Int64],
    _ condition: String, _ values: repeat each Value
  ) throws(GatebookError) {
    let rows = try connection.rows(
      "SELECT account, kind, at FROM event WHERE \(condition)", repeat each values)
    while let row = try rows.next() {
      let key = RollupEvent(row).key(in: part)
      if range.contains(key.number) { counts[key, default: 0] += 1 }
    }
  }

  /// The counts by their numbers, with the names of kinds.
  private func tallies(_ counts: [TallyKey: Int64]) throws(GatebookError) -> [Int64: Tally] {
    var kinds = RecentNames<String>(64)
    var tallies: [Int64: Tally] = [:]
    for (key, count) in counts {
      let kind = try kinds.value(key.kind) { () throws(GatebookError) in
        try eventNames.kind(key.kind)
      }
      tallies[key.number, default: Tally()].add(count, of: kind)
    }
    return tallies
  }
}
