internal import Gatebook
internal import GatebookEvents

/// Compares the counters of a history with its events, and with the counts of forgotten ones.
struct TallyCheck {
  /// Their problems.
  private(set) var findings = HistoryFindings()
  private var counts: [KindTable.Day: Int64]
  private var kinds: KindTable

  /// Compares them.
  ///
  /// - Parameters:
  ///   - kinds: The kinds of all events, counted.
  ///   - forgotten: How many events of a kind on a day the fleet forgot.
  ///   - branch: The history.
  ///   - book: The book.
  ///   - connection: The fleet.
  /// - Throws: `fleet` failures.
  init(
    _ kinds: KindTable, _ forgotten: [(day: Int64, kind: [UInt8], events: Int64)], _ branch: Int32,
    _ book: BookID, _ connection: FleetConnection
  ) throws(GatebookError) {
    self.kinds = kinds
    for count in forgotten { self.kinds.add(count.events, of: count.kind, on: count.day) }
    counts = self.kinds.takeCounts()
    let history = "book = '\(book)' AND branch = \(branch)"
    if self.kinds.isOver {
      try compareThere(history, connection)
    } else {
      try compareHere(history, connection)
    }
  }

  private mutating func compareHere(
    _ history: String, _ connection: FleetConnection
  ) throws(GatebookError) {
    var check = self
    try connection.talk { (postgres) throws(PostgresFailure) in
      try postgres.copyOut(
        "COPY (SELECT day, kind, events FROM gatebook.tally WHERE \(history)) TO STDOUT (FORMAT binary)"
      ) { piece in
        guard var fields = CopyFields(piece, count: 3) else { return }
        check.take(fields.integer(), fields.content(), fields.integer())
      }
    }
    for (day, count) in check.counts {
      check.note(day.day, check.kinds.name(day.kind), counted: count, stored: 0)
    }
    self = check
  }

  private mutating func take(_ day: Int64, _ kind: UnsafeRawBufferPointer, _ stored: Int64) {
    let number = kinds.known(kind)
    let counted =
      number.flatMap { counts.removeValue(forKey: KindTable.Day(day: day, kind: $0)) } ?? 0
    guard counted != stored else { return }
    note(day, String(decoding: kind, as: UTF8.self), counted: counted, stored: stored)
  }

  /// The server counts what is too much to be counted here.
  private mutating func compareThere(
    _ history: String, _ connection: FleetConnection
  ) throws(GatebookError) {
    let rows = try connection.run(
      """
      SELECT day, kind, coalesce(counted, 0), coalesce(events, 0) FROM (
        SELECT day, kind, sum(counted)::bigint AS counted FROM (
          SELECT gatebook.day_of(at)::bigint AS day, kind,
            count(*) AS counted
          FROM gatebook.event WHERE \(history) GROUP BY 1, 2
          UNION ALL
          SELECT ('x' || encode(substr(name, 1, 4), 'hex'))::bit(32)::integer::bigint,
            convert_from(substr(name, 5), 'UTF8'), convert_from(content, 'UTF8')::bigint
          FROM gatebook.past WHERE \(history) AND part = 'start.counted.day') u
        GROUP BY 1, 2) e
      FULL JOIN (SELECT day::bigint AS day, kind, events FROM gatebook.tally WHERE \(history)) t
      USING (day, kind)
      WHERE counted IS DISTINCT FROM events ORDER BY day, kind LIMIT \(HistoryFindings.maximum)
      """)
    for index in 0..<rows.count {
      let row = rows[index]
      note(row.integer(0), row.text(1), counted: row.integer(2), stored: row.integer(3))
    }
  }

  private mutating func note(_ day: Int64, _ kind: String, counted: Int64, stored: Int64) {
    findings.note(
      "The counter of `\(kind)` on day \(day) since 1970-01-01 is \(stored), but the count of the events "
        + "is \(counted).")
  }
}
