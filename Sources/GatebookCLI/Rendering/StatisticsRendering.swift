internal import Gatebook
internal import GatebookFleet

/// Figures as `stats` prints them.
@MainActor struct StatisticsRendering {
  let output: Output
  /// The one book of a fleet that they are of; `nil` for a book at hand, and for many.
  var book: FleetBook?

  /// The head figures.
  ///
  /// - Parameters:
  ///   - figures: The figures.
  ///   - isArchived: Whether the first events are in an archive: when the very first was is not
  ///     known then, and the book's size is not that of the events that are counted.
  func show(_ figures: Statistics, isArchived: Bool) {
    guard !output.tells(programs: [Self.json(figures)]) else { return }
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
    for (name, value) in lines { output.line(name.padded(to: 13) + value) }
  }

  /// The head figures of a fleet.
  func show(_ figures: FleetStatistics) {
    let tally = figures.tally
    let counted: [(String, JSON?)] = [
      ("books", .integer(Int64(figures.books))), ("accounts", .integer(figures.accounts)),
      ("openSessions", .integer(figures.openSessions)),
    ]
    let ends = [("first", figures.first.map(JSON.time)), ("last", figures.last.map(JSON.time))]
    let object = JSON.members(
      FleetRendering.members(book) + counted + Self.members(Self.numbers(tally)) + ends)
    guard !output.tells(programs: [object]) else { return }
    var lines = book.map { [("machine", Printable.text(FleetRendering.name($0)))] } ?? []
    lines += [
      ("books", "\(figures.books)"),
      ("accounts", "\(figures.accounts), \(figures.openSessions) with a usable session"),
      ("events", "\(tally.events)"),
      ("logins", Self.text(tally.logins, failed: tally.failedLogins)),
      ("renewals", Self.text(tally.renewals, failed: tally.failedRenewals)),
      ("logouts", "\(tally.logouts)"),
    ]
    if let first = figures.first { lines.append(("first event", output.times.agedPast(first))) }
    if let last = figures.last { lines.append(("last event", output.times.agedPast(last))) }
    for (name, value) in lines { output.line(name.padded(to: 13) + value) }
  }

  /// A line for each book of a fleet, in their order.
  func show(_ books: [FleetEntry<Tally>]) {
    list(
      "machine",
      books.map { entry in
        Row(
          name: FleetRendering.name(entry.book), members: FleetRendering.members(entry.book),
          numbers: Self.numbers(entry.value))
      })
  }

  /// A line for each day.
  func show(_ days: [Day: Tally]) {
    list(
      .whole("day (UTC)"),
      days.sorted { $0.key < $1.key }.map { day, tally in
        let date = CivilTime(seconds: day.start.seconds).dateText
        return Row(name: date, members: [("day", .text(date))], numbers: Self.numbers(tally))
      })
  }

  /// A line for each kind, the most frequent first.
  func show(_ tally: Tally) {
    list(
      .whole("kind"),
      tally.counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { kind, count in
        Row(name: kind, members: [("kind", .text(kind))], numbers: [count])
      })
  }

  /// A line for each account, the busiest first.
  func show(_ accounts: [AccountID?: Tally], _ contexts: [SessionContext]) {
    let names = AccountNames(contexts)
    let rows = accounts.sorted {
      ($1.value.events, $0.key?.description ?? "") < ($0.value.events, $1.key?.description ?? "")
    }
    list(
      "account",
      rows.map { account, tally in
        let label = contexts.first { $0.account == account }?.label
        return Row(
          name: account.map { names[$0] } ?? "(the book)",
          members: [
            ("account", account.map { .text($0.description) }), ("label", label?.json(JSON.text)),
          ], numbers: Self.numbers(tally))
      })
  }

  /// A line for each program that sent requests through proxies, the busiest first.
  func show(_ programs: [ProgramActivity]) {
    let objects = programs.map { activity in
      JSON.members(
        FleetRendering.members(book) + [
          ("program", activity.program.map(JSON.text)), ("forwarded", .integer(activity.forwarded)),
          ("refused", .integer(activity.refused)), ("first", JSON.time(activity.first)),
          ("last", JSON.time(activity.last)),
        ])
    }
    guard !output.tells(programs: objects) else { return }
    guard !programs.isEmpty else {
      return output.empty("No program sent requests through a proxy.")
    }
    var table = TextTable([
      .whole("program"), .number("forwarded"), .number("refused"), .whole("first"), .whole("last"),
    ])
    for activity in programs {
      table.add(
        [
          activity.program ?? "(unknown)", "\(activity.forwarded)", "\(activity.refused)",
          output.times.text(activity.first), output.times.text(activity.last),
        ].map { TextTable.Cell($0) })
    }
    show(table, programs.count)
  }

  /// A table, led by the machine that it is about.
  private func show(_ table: TextTable, _ rows: Int) {
    guard let book else { return output.table(table) }
    let cell = TextTable.Cell(FleetRendering.name(book))
    output.table(table.led(by: "machine", Array(repeating: cell, count: rows)))
  }

  /// What a line counts.
  private struct Row {
    let name: String
    /// What names it for programs.
    let members: [(String, JSON?)]
    /// The first figures, or all.
    let numbers: [Int64]
  }

  private func list(_ name: TableColumn, _ rows: [Row]) {
    let place = FleetRendering.members(book)
    let objects = rows.map { JSON.members(place + $0.members + Self.members($0.numbers)) }
    guard !output.tells(programs: objects) else { return }
    guard let shown = rows.first?.numbers.count else {
      return output.empty("Nothing happened on those days.")
    }
    let bars = output.isTerminal ? [TableColumn("", .bars(atLeast: 6))] : []
    var table = TextTable(
      [name] + Self.figures.prefix(shown).map { .number($0.heading) } + bars,
      givesUp: ["", "logouts", "renewals"])
    let largest = rows.map { $0.numbers[0] }.max() ?? 0
    for row in rows {
      table.add(
        [TextTable.Cell(row.name)] + row.numbers.map { TextTable.Cell(String($0)) }
          + bars.map { _ in TextTable.Cell(bar: row.numbers[0], of: largest, .good) })
    }
    show(table, rows.count)
  }

  // MARK: Figures

  /// What is counted, as programs and as people read it.
  private static let figures: [(name: String, heading: String, count: (Tally) -> Int64)] = [
    ("events", "events", \.events), ("logins", "logins", \.logins),
    ("failedLogins", "failed logins", \.failedLogins), ("renewals", "renewals", \.renewals),
    ("failedRenewals", "failed renewals", \.failedRenewals), ("logouts", "logouts", \.logouts),
  ]

  private static func numbers(_ tally: Tally) -> [Int64] { figures.map { $0.count(tally) } }

  private static func members(_ numbers: [Int64]) -> [(String, JSON?)] {
    zip(figures, numbers).map { ($0.name, .integer($1)) }
  }

  private static func text(_ count: Int64, failed: Int64) -> String {
    failed == 0 ? "\(count)" : "\(count), and \(failed) failed"
  }

  private static func json(_ figures: Statistics) -> JSON {
    .members(
      [
        ("accounts", .integer(Int64(figures.accounts))),
        ("openSessions", .integer(Int64(figures.openSessions))),
      ] + members(numbers(figures.tally)) + [
        ("first", figures.first.map(JSON.time)), ("last", figures.last.map(JSON.time)),
        ("bytes", .integer(figures.bytes)), ("bytesPerEvent", .integer(figures.bytesPerEvent)),
      ])
  }
}
