internal import Gatebook
internal import GatebookEvents

/// Compares the counters of a history with what they count.
///
/// Those of kinds, on each day and in all, are counted from its events and from the counts of
/// forgotten ones. The times of the first and last event are those of its events. The numbers of
/// accounts and usable sessions are those of its stored states.
struct CounterCheck {
  /// Their problems.
  private(set) var findings = HistoryFindings()
  private let history: HistoryCheck
  private let book: BookID
  private let connection: FleetConnection

  /// Compares them.
  ///
  /// - Parameters:
  ///   - history: The history, after its last event. Events that are missing make counters differ,
  ///     and that says nothing more: then only the states are counted.
  ///   - book: The book.
  ///   - connection: The fleet.
  /// - Throws: `fleet` failures.
  init(
    _ history: HistoryCheck, _ book: BookID, _ connection: FleetConnection
  ) throws(GatebookError) {
    self.history = history
    self.book = book
    self.connection = connection
    if history.isWhole { try compareKinds() }
    try compareBranch()
  }

  private var branch: PostgresValue { .small(history.head.branch) }

  // MARK: Kinds

  private mutating func compareKinds() throws(GatebookError) {
    var kinds = history.kinds
    for count in history.start?.counts ?? [] {
      kinds.add(count.events, of: count.kind, on: count.day)
    }
    guard !kinds.isOver else { return try compareKindsThere() }
    let counts = kinds.takeCounts()
    var totals: [String: Int64] = [:]
    for (day, count) in counts { totals[kinds.name(day.kind), default: 0] += count }
    try compareDays(counts, kinds)
    try compareTotals(totals)
  }

  private mutating func compareDays(
    _ counts: [KindTable.Day: Int64], _ kinds: KindTable
  ) throws(GatebookError) {
    var counts = counts
    var check = self
    try connection.talk { (postgres) throws(PostgresFailure) in
      try postgres.copyOut(
        """
        COPY (SELECT day, kind, events FROM gatebook.tally
          WHERE book = '\(book)' AND branch = \(history.head.branch)) TO STDOUT (FORMAT binary)
        """
      ) { piece in
        guard var fields = CopyFields(piece, count: 3) else { return }
        let (day, kind, stored) = (fields.integer(), fields.content(), fields.integer())
        let place = kinds.known(kind).map { KindTable.Day(day: day, kind: $0) }
        let counted = place.flatMap { counts.removeValue(forKey: $0) } ?? 0
        guard counted != stored else { return }
        check.checkDay(day, String(decoding: kind, as: UTF8.self), counted: counted, stored: stored)
      }
    }
    self = check
    for (day, count) in counts {
      checkDay(day.day, kinds.name(day.kind), counted: count, stored: 0)
    }
  }

  private mutating func compareTotals(_ totals: [String: Int64]) throws(GatebookError) {
    var totals = totals
    let rows = try connection.run(
      "SELECT kind, events FROM gatebook.total WHERE book = $1 AND branch = $2 ORDER BY kind",
      .identity(book), branch)
    for index in 0..<rows.count {
      let (kind, stored) = (rows[index].text(0), rows[index].integer(1))
      checkKind(kind, counted: totals.removeValue(forKey: kind) ?? 0, stored: stored)
    }
    for (kind, count) in totals.sorted(by: { $0.key < $1.key }) {
      checkKind(kind, counted: count, stored: 0)
    }
  }

  /// The server counts what is too much to be counted here.
  private mutating func compareKindsThere() throws(GatebookError) {
    let counted = """
      SELECT day, kind, sum(counted)::bigint AS counted FROM (
        SELECT gatebook.day_of(at)::bigint AS day, kind, count(*) AS counted
        FROM gatebook.event WHERE book = $1 AND branch = $2 GROUP BY 1, 2
        UNION ALL
        SELECT ('x' || encode(substr(name, 1, 4), 'hex'))::bit(32)::integer::bigint,
          convert_from(substr(name, 5), 'UTF8'), convert_from(content, 'UTF8')::bigint
        FROM gatebook.past WHERE book = $1 AND branch = $2 AND part = 'start.counted.day') u
      GROUP BY 1, 2
      """
    let days = try connection.run(
      """
      SELECT day, kind, coalesce(counted, 0), coalesce(events, 0) FROM (\(counted)) e
      FULL JOIN (SELECT day::bigint AS day, kind, events FROM gatebook.tally
        WHERE book = $1 AND branch = $2) t
      USING (day, kind)
      WHERE counted IS DISTINCT FROM events ORDER BY day, kind LIMIT \(HistoryFindings.maximum)
      """, .identity(book), branch)
    for index in 0..<days.count {
      let row = days[index]
      checkDay(row.integer(0), row.text(1), counted: row.integer(2), stored: row.integer(3))
    }
    let totals = try connection.run(
      """
      SELECT kind, coalesce(counted, 0), coalesce(events, 0) FROM (
        SELECT kind, sum(counted)::bigint AS counted FROM (\(counted)) d GROUP BY kind) e
      FULL JOIN (SELECT kind, events FROM gatebook.total WHERE book = $1 AND branch = $2) t
      USING (kind)
      WHERE counted IS DISTINCT FROM events ORDER BY kind LIMIT \(HistoryFindings.maximum)
      """, .identity(book), branch)
    for index in 0..<totals.count {
      let row = totals[index]
      checkKind(row.text(0), counted: row.integer(1), stored: row.integer(2))
    }
  }

  private mutating func checkDay(_ day: Int64, _ kind: String, counted: Int64, stored: Int64) {
    guard counted != stored else { return }
    findings.note(
      "The counter of `\(kind)` on day \(day) since 1970-01-01 is \(stored), but the count of the events "
        + "is \(counted).")
  }

  private mutating func checkKind(_ kind: String, counted: Int64, stored: Int64) {
    guard counted != stored else { return }
    findings.note(
      "The total of `\(kind)` is \(stored), but the count of the events is \(counted).")
  }

  // MARK: The row of the history

  private mutating func compareBranch() throws(GatebookError) {
    let row = try connection.run(
      """
      SELECT first_at, last_at, accounts, usable,
        (SELECT count(*) FROM gatebook.state s
          WHERE s.book = $1 AND s.branch = $2 AND part = 'account'),
        (SELECT count(*) FROM gatebook.state s
          WHERE s.book = $1 AND s.branch = $2 AND gatebook.is_usable(part, state))
      FROM gatebook.branch WHERE book = $1 AND branch = $2
      """, .identity(book), branch
    ).first
    guard let row else { return }
    if history.isWhole {
      // The times of forgotten events are not known.
      let forgets = history.head.forgotten > 0
      if !forgets { checkTime("first", row.optionalInteger(0), history.times?.first) }
      if !forgets || history.times != nil {
        checkTime("last", row.optionalInteger(1), history.times?.last)
      }
    }
    checkNumber("accounts", row.integer(2), row.integer(4))
    checkNumber("usable sessions", row.integer(3), row.integer(5))
  }

  private mutating func checkTime(_ which: String, _ stored: Int64?, _ found: Int64?) {
    guard stored != found else { return }
    findings.note(
      "The time of the \(which) event is stored as \(Self.text(stored)), but that event has "
        + "\(Self.text(found)).")
  }

  private static func text(_ time: Int64?) -> String {
    time.map { "\(Timestamp(rawValue: $0))" } ?? "none"
  }

  private mutating func checkNumber(_ what: String, _ stored: Int64, _ found: Int64) {
    guard stored != found else { return }
    findings.note("The history counts \(stored) \(what), but its states have \(found).")
  }
}
