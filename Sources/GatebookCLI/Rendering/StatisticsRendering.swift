internal import Gatebook

/// Figures as `stats` prints them.
@MainActor struct StatisticsRendering {
  private let output: Output

  init(_ output: Output) {
    self.output = output
  }

  /// The head figures.
  ///
  /// - Parameters:
  ///   - figures: The figures.
  ///   - isArchived: Whether the first events are in an archive: when the very first was is not
  ///     known then, and the book's size is not that of the events that are counted.
  func show(_ figures: Statistics, isArchived: Bool) {
    guard !output.isJSON else { return output.json(Self.json(figures)) }
    let tally = figures.tally
    let open = figures.openSessions
    var lines: [(String, String)] = [
      ("accounts", "\(figures.accounts), \(open) with a usable session"),
      ("events", "\(tally.events)"),
      ("logins", Self.text(tally.logins, failed: tally.failedLogins)),
      ("renewals", Self.text(tally.renewals, failed: tally.failedRenewals)),
      ("logouts", "\(tally.logouts)"),
    ]
    if let first = figures.first, !isArchived {
      lines.append(("first event", output.times.agedPast(first)))
    }
    if let last = figures.last { lines.append(("last event", output.times.agedPast(last))) }
    let share = isArchived ? "" : ", \(figures.bytesPerEvent) bytes for each event"
    lines.append(("book", ByteCount.text(Int(figures.bytes)) + share))
    for (name, value) in lines {
      output.line(name + String(repeating: " ", count: 13 - name.count) + value)
    }
  }

  /// A line for each day.
  func show(_ days: [Day: Tally]) {
    let rows = days.sorted { $0.key < $1.key }
    guard !output.isJSON else {
      for row in rows {
        output.json(.members([("day", .text(Self.date(row.key)))] + Self.members(row.value)))
      }
      return
    }
    if rows.isEmpty { return output.empty("Nothing happened on those days.") }
    table(.whole("day (UTC)"), rows.map { (Self.date($0.key), $0.value) })
  }

  /// A line for each kind, the most frequent first.
  func show(_ tally: Tally) {
    let rows = tally.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    if rows.isEmpty { return output.empty("Nothing happened on those days.") }
    guard !output.isJSON else {
      for row in rows {
        output.json(["kind": .text(row.key), "events": .integer(row.value)])
      }
      return
    }
    var table = TextTable([.whole("kind"), .number("events")] + bars, givesUp: [""])
    let largest = rows.first?.value ?? 0
    for row in rows {
      table.add(
        [TextTable.Cell(row.key), TextTable.Cell(String(row.value))] + bar(row.value, largest))
    }
    output.table(table)
  }

  /// A line for each account, the busiest first.
  func show(_ accounts: [AccountID?: Tally], _ contexts: [SessionContext]) {
    let rows = accounts.sorted {
      ($1.value.events, $0.key?.description ?? "") < ($0.value.events, $1.key?.description ?? "")
    }
    guard !output.isJSON else {
      for row in rows {
        let label = contexts.first { $0.account == row.key }?.label
        output.json(
          .members(
            [
              ("account", row.key.map { .text($0.description) }),
              ("label", label?.json(JSON.text)),
            ] + Self.members(row.value)))
      }
      return
    }
    let names = AccountNames(contexts)
    if rows.isEmpty { return output.empty("Nothing happened on those days.") }
    table("account", rows.map { ($0.key.map { names[$0] } ?? "(the book)", $0.value) })
  }

  private func table(_ name: TableColumn, _ rows: [(name: String, tally: Tally)]) {
    let numbers = [
      "events", "logins", "failed logins", "renewals", "failed renewals", "logouts",
    ]
    var table = TextTable(
      [name] + numbers.map(TableColumn.number) + bars, givesUp: ["", "logouts", "renewals"])
    let largest = rows.map(\.tally.events).max() ?? 0
    for (name, tally) in rows {
      let numbers = [
        tally.events, tally.logins, tally.failedLogins, tally.renewals, tally.failedRenewals,
        tally.logouts,
      ]
      table.add(
        [TextTable.Cell(name)] + numbers.map { TextTable.Cell(String($0)) }
          + bar(tally.events, largest))
    }
    output.table(table)
  }

  // MARK: Bars

  /// The heading of the bars, where there are any.
  private var bars: [TableColumn] {
    output.isTerminal ? [TableColumn("", .bars(atLeast: 6))] : []
  }

  private func bar(_ value: Int64, _ largest: Int64) -> [TextTable.Cell] {
    guard output.isTerminal else { return [] }
    return [TextTable.Cell(bar: value, of: largest, .good)]
  }

  // MARK: Texts

  private static func text(_ count: Int64, failed: Int64) -> String {
    failed == 0 ? "\(count)" : "\(count), and \(failed) failed"
  }

  /// `2025-11-21`, in UTC.
  private static func date(_ day: Day) -> String {
    CivilTime(seconds: day.start.seconds).dateText
  }

  // MARK: JSON

  private static func json(_ figures: Statistics) -> JSON {
    .members(
      [
        ("accounts", .integer(Int64(figures.accounts))),
        ("openSessions", .integer(Int64(figures.openSessions))),
      ] + members(figures.tally) + [
        ("first", figures.first.map(JSON.time)), ("last", figures.last.map(JSON.time)),
        ("bytes", .integer(figures.bytes)), ("bytesPerEvent", .integer(figures.bytesPerEvent)),
      ])
  }

  /// What each line says of its events.
  private static func members(_ tally: Tally) -> [(String, JSON?)] {
    [
      ("events", .integer(tally.events)), ("logins", .integer(tally.logins)),
      ("failedLogins", .integer(tally.failedLogins)), ("renewals", .integer(tally.renewals)),
      ("failedRenewals", .integer(tally.failedRenewals)), ("logouts", .integer(tally.logouts)),
    ]
  }
}
