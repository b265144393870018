internal import Gatebook
internal import GatebookEvents

/// Compares the counters of a history beside those of days with what they count.
///
/// The totals of kinds and the times of the first and last event are those of its events; forgotten
/// ones are counted too. The numbers of accounts and usable sessions are those of its states.
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
    if history.isWhole { try compareTotals() }
    try compareBranch()
  }

  private var branch: PostgresValue { .small(history.head.branch) }

  // MARK: Totals

  private mutating func compareTotals() throws(GatebookError) {
    var kinds = history.kinds
    for count in history.start?.counts ?? [] {
      kinds.add(count.events, of: count.kind, on: count.day)
    }
    guard !kinds.isOver else { return try compareTotalsThere() }
    var counted: [String: Int64] = [:]
    for (day, count) in kinds.takeCounts() { counted[kinds.name(day.kind), default: 0] += count }
    let rows = try connection.run(
      "SELECT kind, events FROM gatebook.total WHERE book = $1 AND branch = $2 ORDER BY kind",
      .identity(book), branch)
    for index in 0..<rows.count {
      let (kind, stored) = (rows[index].text(0), rows[index].integer(1))
      compare(kind, counted: counted.removeValue(forKey: kind) ?? 0, stored: stored)
    }
    for (kind, count) in counted.sorted(by: { $0.key < $1.key }) {
      compare(kind, counted: count, stored: 0)
    }
  }

  /// The server counts what is too much to be counted here.
  private mutating func compareTotalsThere() throws(GatebookError) {
    let rows = try connection.run(
      """
      SELECT kind, coalesce(counted, 0), coalesce(events, 0) FROM (
        SELECT kind, sum(counted)::bigint AS counted FROM (
          SELECT kind, count(*) AS counted FROM gatebook.event
          WHERE book = $1 AND branch = $2 GROUP BY kind
          UNION ALL
          SELECT convert_from(substr(name, 5), 'UTF8'), convert_from(content, 'UTF8')::bigint
          FROM gatebook.past WHERE book = $1 AND branch = $2 AND part = 'start.counted.day') u
        GROUP BY kind) e
      FULL JOIN (SELECT kind, events FROM gatebook.total WHERE book = $1 AND branch = $2) t
      USING (kind)
      WHERE counted IS DISTINCT FROM events ORDER BY kind LIMIT \(HistoryFindings.maximum)
      """, .identity(book), branch)
    for index in 0..<rows.count {
      let row = rows[index]
      compare(row.text(0), counted: row.integer(1), stored: row.integer(2))
    }
  }

  private mutating func compare(_ kind: String, counted: Int64, stored: Int64) {
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
      if !forgets { compare("first", row.optionalInteger(0), history.times?.first) }
      if !forgets || history.times != nil {
        compare("last", row.optionalInteger(1), history.times?.last)
      }
    }
    compare("accounts", row.integer(2), row.integer(4))
    compare("usable sessions", row.integer(3), row.integer(5))
  }

  private mutating func compare(_ which: String, _ stored: Int64?, _ found: Int64?) {
    guard stored != found else { return }
    findings.note(
      "The time of the \(which) event is stored as \(Self.text(stored)), but that event has "
        + "\(Self.text(found)).")
  }

  private static func text(_ time: Int64?) -> String {
    time.map { "\(Timestamp(rawValue: $0))" } ?? "none"
  }

  private mutating func compare(_ what: String, _ stored: Int64, _ found: Int64) {
    guard stored != found else { return }
    findings.note("The history counts \(stored) \(what), but its states have \(found).")
  }
}
