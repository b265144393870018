internal import Gatebook
internal import GatebookEvents

/// Reads the counters of a fleet.
struct FleetCounters {
  private let selection: FleetSelection
  private let connection: FleetConnection

  init(_ selection: FleetSelection, _ connection: FleetConnection) {
    self.selection = selection
    self.connection = connection
  }

  /// The number of events of each kind.
  func tally(on days: ClosedRange<Day>?) throws(GatebookError) -> Tally {
    guard selection.accounts == nil else {
      var sum = Tally()
      for tally in try tallies(by: "0::bigint", on: days).values { sum.add(tally) }
      if days == nil { for tally in try forgotten().values { sum.add(tally) } }
      return sum
    }
    var conditions = FleetConditions()
    selection.restrict(&conditions)
    conditions.add(days: days)
    let rows = try connection.run(
      "SELECT kind, sum(events)::bigint FROM gatebook.\(days == nil ? "total" : "tally") "
        + "\(conditions.clause) GROUP BY kind", conditions)
    var tally = Tally()
    for number in 0..<rows.count { tally.add(rows[number].integer(1), of: rows[number].text(0)) }
    return tally
  }

  /// The number of events of each kind on each day.
  func tallyByDay(on days: ClosedRange<Day>?) throws(GatebookError) -> [Day: Tally] {
    var tallies: [Day: Tally] = [:]
    guard selection.accounts == nil else {
      let length = Int64(86_400_000_000)
      let day = "(at / \(length) - CASE WHEN at % \(length) < 0 THEN 1 ELSE 0 END)"
      for (key, tally) in try self.tallies(by: day, on: days) {
        tallies[Day(rawValue: key)] = tally
      }
      return tallies
    }
    var conditions = FleetConditions()
    selection.restrict(&conditions)
    conditions.add(days: days)
    let rows = try connection.run(
      "SELECT day, kind, sum(events)::bigint FROM gatebook.tally \(conditions.clause) "
        + "GROUP BY day, kind", conditions)
    for number in 0..<rows.count {
      tallies[Day(rawValue: rows[number].integer(0)), default: Tally()].add(
        rows[number].integer(2), of: rows[number].text(1))
    }
    return tallies
  }

  /// The number of events of each kind in each history.
  func tallyByBook(on days: ClosedRange<Day>?) throws(GatebookError) -> [FleetEntry<Tally>] {
    var conditions = FleetConditions()
    selection.restrict(&conditions)
    conditions.add(days: days)
    let rows = try connection.run(
      "SELECT book, branch, kind, sum(events)::bigint FROM "
        + "gatebook.\(days == nil ? "total" : "tally") \(conditions.clause) "
        + "GROUP BY book, branch, kind", conditions)
    var tallies: [FleetBook: Tally] = [:]
    for number in 0..<rows.count {
      let row = rows[number]
      guard let id: BookID = row.identity(0),
        let book = selection.book(id, Int(row.integer(1)))
      else { continue }
      tallies[book, default: Tally()].add(row.integer(3), of: row.text(2))
    }
    return selection.books.compactMap { book in
      tallies[book].map { FleetEntry(book: book, value: $0) }
    }
  }

  /// The number of events of each kind in each stream of the only history.
  func tallyByAccount(on days: ClosedRange<Day>?) throws(GatebookError) -> [AccountID?: Tally] {
    guard selection.only != nil else {
      throw GatebookError(
        .configurationInvalid, "Accounts are counted in one history of a book at a time.",
        remedy:
          "Name one with `FleetScope.book` and `FleetScope.branch`: `FleetReader.books()` lists them."
      ).with(\.setting, "book")
    }
    let rows = try events("account", on: days)
    var tallies = days == nil ? try forgotten() : [:]
    for number in 0..<rows.count {
      tallies[rows[number].identity(0), default: Tally()].add(
        rows[number].integer(2), of: rows[number].text(1))
    }
    return tallies
  }

  // MARK: Events

  /// How many events of each account the fleet forgot: their days are not known by account.
  private func forgotten() throws(GatebookError) -> [AccountID?: Tally] {
    var conditions = FleetConditions()
    conditions.add("part = 'start.counted.account'")
    selection.restrict(&conditions)
    let rows = try connection.run(
      "SELECT name, content, book FROM gatebook.past \(conditions.clause)", conditions)
    var tallies: [AccountID?: Tally] = [:]
    for number in 0..<rows.count {
      let name = rows[number].bytes(0)
      guard let mark = name.first,
        let events = Int64(String(decoding: rows[number].bytes(1), as: UTF8.self))
      else { continue }
      let account = mark == 0 ? nil : AccountID(bytes: Array(name.dropFirst().prefix(16)))
      if let chosen = selection.accounts {
        guard let book: BookID = rows[number].identity(2), let account,
          chosen.contains(account, in: book)
        else { continue }
      }
      let kind = String(decoding: name.dropFirst(mark == 0 ? 1 : 17), as: UTF8.self)
      tallies[account, default: Tally()].add(events, of: kind)
    }
    return tallies
  }

  /// Counts the events of the selection by a number and by their kinds.
  private func tallies(
    by key: String, on days: ClosedRange<Day>?
  ) throws(GatebookError) -> [Int64: Tally] {
    let rows = try events(key, on: days)
    var tallies: [Int64: Tally] = [:]
    for number in 0..<rows.count {
      tallies[rows[number].integer(0), default: Tally()].add(
        rows[number].integer(2), of: rows[number].text(1))
    }
    return tallies
  }

  private func events(
    _ key: String, on days: ClosedRange<Day>?
  ) throws(GatebookError) -> PostgresRows {
    var conditions = FleetConditions()
    selection.restrict(&conditions)
    conditions.add(since: days?.lowerBound.start, until: days?.end)
    selection.accounts?.restrict(&conditions)
    return try connection.byKeys { () throws(GatebookError) in
      try connection.run(
        "SELECT \(key), kind, count(*) FROM gatebook.event \(conditions.clause) GROUP BY 1, 2",
        conditions)
    }
  }

  // MARK: The directory of books

  /// What the directory says of the histories together.
  struct Directory {
    /// The histories of one book count as one.
    var books = 0
    var accounts: Int64 = 0
    var openSessions: Int64 = 0
    var first: Timestamp?
    var last: Timestamp?
  }

  /// What the directory and the stored states say.
  ///
  /// - Parameters:
  ///   - days: The first and the last event are those of these days; `nil` for all.
  ///   - now: Sessions that time alone has ended by then are not open.
  /// - Returns: The sums.
  /// - Throws: `fleet` failures.
  func directory(
    on days: ClosedRange<Day>?, at now: Moment
  ) throws(GatebookError) -> Directory {
    var conditions = FleetConditions()
    selection.restrict(&conditions)
    let row = try connection.run(
      """
      SELECT count(DISTINCT book), coalesce(sum(accounts), 0)::bigint,
        coalesce(sum(usable), 0)::bigint, min(first_at), max(last_at), bool_or(forgotten > 0)
      FROM gatebook.branch \(conditions.clause)
      """, conditions
    ).first
    guard let row else { return Directory() }
    var directory = Directory(
      books: Int(row.integer(0)), accounts: row.integer(1), openSessions: row.integer(2),
      first: row.optionalInteger(3).map(Timestamp.init(rawValue:)),
      last: row.optionalInteger(4).map(Timestamp.init(rawValue:)))
    if days != nil || selection.accounts != nil {
      (directory.first, directory.last) = try ends(on: days)
      // The first one may be among the events that the fleet forgot.
      if row.bool(5) { directory.first = nil }
    }
    if selection.accounts == nil {
      directory.openSessions -= try endedByTime(at: now)
    } else {
      (directory.accounts, directory.openSessions) = try accounts(at: now)
    }
    return directory
  }

  /// How many of the accounts there are, and how many of them have a usable session.
  private func accounts(at now: Moment) throws(GatebookError) -> (all: Int64, open: Int64) {
    let states = try FleetStates.read(
      selection.books, [.account], of: selection.accounts, connection
    ).flatMap(\.accounts)
    let open = states.count { $0.state.state.isUsable && $0.state.unrecordedEnd(at: now) == nil }
    return (Int64(states.count), Int64(open))
  }

  /// How many sessions are usable by their stored states, and have ended since: time alone ends
  /// those that nothing renews.
  private func endedByTime(at now: Moment) throws(GatebookError) -> Int64 {
    var conditions = FleetConditions()
    conditions.add("gatebook.may_end(part, state)")
    selection.restrict(&conditions)
    // Few rows: the index of those alone, not each state.
    let rows = try connection.byKeys { () throws(GatebookError) in
      try connection.run("SELECT state FROM gatebook.state \(conditions.clause)", conditions)
    }
    var ended: Int64 = 0
    for number in 0..<rows.count {
      let state = rows[number].bytes(0).withUnsafeBytes { AccountState(decoding: $0) }
      if let state, state.state.isUsable, state.unrecordedEnd(at: now) != nil { ended += 1 }
    }
    return ended
  }

  /// When the first and the last event was, by the events themselves.
  private func ends(
    on days: ClosedRange<Day>?
  ) throws(GatebookError) -> (first: Timestamp?, last: Timestamp?) {
    var conditions = FleetConditions()
    conditions.add("kind = k.kind")
    selection.restrict(&conditions)
    conditions.add(since: days?.lowerBound.start, until: days?.end)
    selection.accounts?.restrict(&conditions)
    let clause = conditions.clause
    let kinds = conditions.place(
      of: .texts(try FleetLogQuery.kinds(of: selection, connection)))
    let row = try connection.byKeys { () throws(GatebookError) in
      try connection.run(
        """
        SELECT min(e.first), max(e.last) FROM unnest(\(kinds)) AS k (kind) CROSS JOIN LATERAL (
          SELECT min(at) AS first, max(at) AS last FROM gatebook.event \(clause)) e
        """, conditions)
    }.first
    return (
      row?.optionalInteger(0).map(Timestamp.init(rawValue:)),
      row?.optionalInteger(1).map(Timestamp.init(rawValue:))
    )
  }
}
