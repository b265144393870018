internal import Gatebook
internal import GatebookEvents

/// The rules about how books reach the fleet.
struct ShipmentFindings {
  let selection: FleetSelection
  let filter: FleetFindingFilter
  let connection: FleetConnection

  /// The findings.
  func findings(at now: Timestamp) throws(GatebookError) -> [FleetFinding] {
    var findings = try forked() + refused() + forgetting()
    guard filter.tellsNow(now) else { return findings }
    findings +=
      try silent() + CheckpointFindings(selection: selection, connection: connection).findings()
    findings += marked(
      .headUnsigned, { $0.size > 0 && $0.checkpoint == nil },
      one: "The newest events of one book came without a signed checkpoint.",
      many: "books came without a signed checkpoint of their newest events.")
    if selection.only == nil {
      findings += marked(
        .eventsForgotten, { $0.forgotten > .start },
        one: "The fleet forgot old events of one book.",
        many: "books have old events that the fleet forgot.")
    }
    findings += marked(
      .eventsWithheld, { $0.withheld > 0 },
      one: "The encrypted facts of one book's events were not sent.",
      many: "books were shipped without the encrypted facts of their events.")
    return findings
  }

  private func forked() -> [FleetFinding] {
    selection.books.filter { $0.parent != nil && filter.contains($0.begun) }.map { book in
      FleetFinding(
        .bookForked, .alarm,
        """
        The book was copied, and both copies were used: branch \(Int64(book.branch)) has other events \
        after position \(book.base.rawValue) than branch \(Int64(book.parent ?? 0)).
        """,
        in: [FleetFinding.Place(book)], at: [book.base], count: 1,
        book.begun...max(book.begun, book.heard))
    }
  }

  /// Books that are silent now: the fleet's own clock says how long.
  private func silent() throws(GatebookError) -> [FleetFinding] {
    let now = try connection.run("SELECT (extract(epoch FROM now()) * 1000000)::bigint").first
      .map { Timestamp(rawValue: $0.integer(0)) }
    guard let now else { return [] }
    return Dictionary(grouping: selection.books, by: \.id).values.compactMap { histories in
      // A copy may be heard while the other one is not.
      guard let book = histories.max(by: { $0.heard < $1.heard }),
        now - book.heard >= filter.silentAfter,
        histories.contains(where: { $0.daysHeard >= Self.regularly })
      else { return nil }
      return FleetFinding(
        .bookSilent, .warning,
        "The fleet has not heard of this book since \(book.heard), and heard of it on "
          + "\(histories.map(\.daysHeard).max() ?? 0) days before.",
        in: [FleetFinding.Place(book)], book.begun...max(book.begun, book.heard))
    }
  }

  /// Who was heard on so many days was heard regularly.
  private static let regularly: Int64 = 3

  /// One finding for all books with a mark: what is usual in a company is not said for each.
  private func marked(
    _ rule: FleetRule, _ isMarked: (FleetBook) -> Bool, one: Sentence, many: String
  ) -> [FleetFinding] {
    let books = selection.books.filter(isMarked)
    guard let first = books.map(\.begun).min(), let last = books.map(\.heard).max() else {
      return []
    }
    let places = books.map { FleetFinding.Place($0) }
    let count = Set(places.map(\.book)).count
    return [
      FleetFinding(
        rule, .note, count == 1 ? one : "\(Int64(count)) \(many)", in: places,
        first...max(first, last))
    ]
  }

  /// Demands of notices that they are of the selection and of the time.
  private func restrict(_ conditions: inout FleetConditions) {
    if let since = filter.since {
      conditions.add("at >= to_timestamp(?::bigint / 1000000.0)", .integer(since.rawValue))
    }
    if let until = filter.until {
      conditions.add("at < to_timestamp(?::bigint / 1000000.0)", .integer(until.rawValue))
    }
    selection.restrictBooks(&conditions)
  }

  // MARK: Forgetting

  /// What was found when events were about to be dropped: of many histories only what is wrong.
  private func forgetting() throws(GatebookError) -> [FleetFinding] {
    var conditions = FleetConditions()
    let codes = [ForgettingNotice.refused] + (selection.only == nil ? [] : [ForgettingNotice.done])
    conditions.add("code = ANY(?)", .texts(codes))
    restrict(&conditions)
    let rows = try connection.run(
      """
      SELECT book, coalesce(branch, 0), code, position, detail, (extract(epoch FROM at) * 1000000)::bigint
      FROM gatebook.notice \(conditions.clause) ORDER BY at
      """, conditions)
    var findings: [FleetFinding] = []
    for number in 0..<rows.count {
      let row = rows[number]
      guard let id: BookID = row.identity(0) else { continue }
      let branch = Int(row.integer(1))
      if let only = selection.only, only.branch != branch { continue }
      let book = selection.book(id, branch)
      let isDone = row.text(2) == ForgettingNotice.done
      let at = Timestamp(rawValue: row.integer(5))
      findings.append(
        FleetFinding(
          isDone ? .eventsForgotten : .historyDamaged, isDone ? .note : .alarm,
          "\(row.text(4))", in: [FleetFinding.Place(id, branch, book?.machine)],
          at: row.optionalInteger(3).map { [Position(rawValue: $0)] } ?? [], count: 1, at...at))
    }
    return findings
  }

  // MARK: Refused batches

  private func refused() throws(GatebookError) -> [FleetFinding] {
    var conditions = FleetConditions()
    conditions.add(
      "code <> ALL(?)",
      .texts([FailureCode.fleetForked.rawValue, ForgettingNotice.done, ForgettingNotice.refused]))
    restrict(&conditions)
    let rows = try connection.run(
      """
      SELECT book, code, role, min(coalesce(branch, 0)), min(position), count(*),
        (extract(epoch FROM min(at)) * 1000000)::bigint,
        (extract(epoch FROM max(at)) * 1000000)::bigint
      FROM gatebook.notice \(conditions.clause) GROUP BY book, code, role
      """, conditions)
    var findings: [FleetFinding] = []
    for number in 0..<rows.count {
      let row = rows[number]
      guard let id: BookID = row.identity(0) else { continue }
      let branch = Int(row.integer(3))
      let book = selection.book(id, branch) ?? selection.books.first { $0.id == id }
      let (severity, title) = Self.judge(row.text(1), role: row.text(2))
      findings.append(
        FleetFinding(
          .batchRefused, severity, title,
          in: [FleetFinding.Place(id, branch, book?.machine)],
          at: row.optionalInteger(4).map { [Position(rawValue: $0)] } ?? [], count: row.integer(5),
          Timestamp(
            rawValue: row.integer(6))...Timestamp(rawValue: max(row.integer(6), row.integer(7)))))
    }
    return findings
  }

  private static func judge(
    _ code: String, role: String
  ) -> (severity: Finding.Severity, title: Sentence) {
    switch code {
    case "fleet.leaf": (.alarm, "The role \(role) shipped an event that does not match its hash.")
    case "fleet.differs", "fleet.root":
      (.alarm, "The role \(role) shipped other events than the fleet has at the same positions.")
    case "fleet.owner", FailureCode.fleetRefused.rawValue:
      (.alarm, "The role \(role) tried to ship a book that belongs to another role.")
    case "fleet.gap":
      (
        .note,
        "The role \(role) shipped events out of order. Two shippers of one book at the same time do so."
      )
    default: (.warning, "The fleet recorded \(code) about the role \(role).")
    }
  }
}
