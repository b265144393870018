public import GatebookEvents

extension BookReader {
  private static let all = Int64.min...Int64.max

  /// The number of events of each kind.
  ///
  /// It comes from counters and takes the same time in a small and in a large book: it reads at most 255
  /// events. For days of one account it reads the account's events.
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
        return try counted(TallyKey.book, 0...0, { _ in 0 })[0] ?? Tally()
      }
      guard let number = try connection.number(of: account) else { return Tally() }
      return try counted(TallyKey.account, number...number, \.account)[number] ?? Tally()
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
      return try counted(TallyKey.day, range) { Day(of: Timestamp(rawValue: $0.at)).rawValue }
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
          try counted(TallyKey.account, Self.all, \.account)
        }
      for (number, tally) in counted {
        tallies[number == 0 ? nil : try eventNames.account(number)] = tally
      }
      return tallies
    }
  }

  /// What is counted, and the events behind the last full block.
  ///
  /// - Parameters:
  ///   - part: Which counters.
  ///   - range: Which of them.
  ///   - number: Where an event that is not counted yet belongs.
  /// - Returns: A tally for each that has events.
  /// - Throws: `storage` failures.
  private func counted(
    _ part: Int64, _ range: ClosedRange<Int64>, _ number: (RollupEvent) -> Int64
  ) throws(GatebookError) -> [Int64: Tally] {
    // An older Gatebook has left no counters but those that the book begins with.
    var counts = try hasRollups() ? [:] : try OpeningRows(connection).tallies()
    counts = counts.filter { $0.key.part == part && range.contains($0.key.number) }
    var covered = try Opening.read(connection)?.floor ?? 0
    if try hasRollups() {
      covered = max(
        try BlockRows(connection).count(Block.levels.lower) * Block.size,
        try Opening.read(connection)?.floor ?? 0)
      let statement = try connection.statement(
        """
        SELECT number, kind, events FROM tally WHERE part = ?1 AND number >= ?2 AND number <= ?3
        """)
      statement.bind(1, part)
      statement.bind(2, range.lowerBound)
      statement.bind(3, range.upperBound)
      defer { statement.reset() }
      while try statement.step() {
        let key = TallyKey(part: part, number: statement.integer(0), kind: statement.integer(1))
        counts[key] = statement.integer(2)
      }
    }
    let statement = try connection.statement(
      "SELECT account, kind, at FROM event WHERE position > ?1 ORDER BY position")
    statement.bind(1, covered)
    defer { statement.reset() }
    while try statement.step() {
      let event = RollupEvent(
        account: statement.integer(0), kind: statement.integer(1), at: statement.integer(2))
      let number = number(event)
      guard range.contains(number) else { continue }
      counts[TallyKey(part: part, number: number, kind: event.kind), default: 0] += 1
    }
    return try tallies(counts)
  }

  /// What happened in one stream, by days.
  private func scanned(
    _ account: AccountID, _ days: ClosedRange<Int64>
  ) throws(GatebookError) -> [Int64: Tally] {
    let statement = try connection.statement(
      """
      SELECT kind, at FROM event WHERE account = (SELECT number FROM account WHERE id = ?1)
      ORDER BY revision
      """)
    statement.bind(1, account.bytes)
    defer { statement.reset() }
    var counts: [TallyKey: Int64] = [:]
    while try statement.step() {
      let day = Day(of: Timestamp(rawValue: statement.integer(1))).rawValue
      guard days.contains(day) else { continue }
      let key = TallyKey(part: TallyKey.day, number: day, kind: statement.integer(0))
      counts[key, default: 0] += 1
    }
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
    let statement = try connection.statement(
      """
      SELECT account, kind FROM event
      WHERE position > ?1 AND position <= ?2 AND at >= ?3 AND at <= ?4 ORDER BY position
      """)
    statement.bind(3, search.since)
    statement.bind(4, search.until)
    var counts: [TallyKey: Int64] = [:]
    try search.forEachSpan(after: 0, upTo: try head().size) { span throws(GatebookError) in
      statement.bind(1, span.start)
      statement.bind(2, span.end)
      defer { statement.reset() }
      while try statement.step() {
        let key = TallyKey(
          part: TallyKey.account, number: statement.integer(0), kind: statement.integer(1))
        counts[key, default: 0] += 1
      }
      return true
    }
    return try tallies(counts)
  }

  /// The counts by their numbers, with the names of kinds.
  private func tallies(_ counts: [TallyKey: Int64]) throws(GatebookError) -> [Int64: Tally] {
    var kinds = RecentNames<String>(64)
    var tallies: [Int64: Tally] = [:]
    for (key, count) in counts {
      let kind = if let known = kinds[key.kind] { known } else { try eventNames.kind(key.kind) }
      kinds[key.kind] = kind
      tallies[key.number, default: Tally()].add(count, of: kind)
    }
    return tallies
  }
}
