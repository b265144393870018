internal import Gatebook
internal import GatebookFleet

/// Tells people and programs what a fleet would forget, and what it forgot.
@MainActor struct ForgettingRendering {
  private let output: Output

  init(_ output: Output) {
    self.output = output
  }

  // MARK: The plan

  /// Prints what would be dropped.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - isQuestion: Whether it belongs to a question, which is for people only.
  func show(_ plan: ForgettingPlan, isQuestion: Bool = false) {
    let runs = plan.runs.filter { $0.events > 0 }
    if !isQuestion, output.tells(programs: runs.map(Self.json)) { return }
    guard !runs.isEmpty else { return output.message(Self.nothing) }
    var table = TextTable(["machine", .whole("book"), .number("events"), .number("up to")])
    for run in runs {
      table.add([
        TextTable.Cell(FleetRendering.name(run.book)),
        TextTable.Cell(AccountNames.short(run.book.id)), TextTable.Cell(String(run.events)),
        TextTable.Cell(run.last.description),
      ])
    }
    let histories = Figure.text(Int64(runs.count), "history", "histories")
    let text =
      "\(Figure.text(plan.events, "event", "events")) of \(histories) would be dropped: those before "
      + "\(output.times.text(plan.moment))."
    guard isQuestion else {
      output.table(table)
      return output.message(text)
    }
    for line in table.lines(hasColor: false, width: output.columns) { output.message(line) }
    output.message(text)
  }

  private static let nothing = "No history begins with events before that time."

  private static func json(_ run: ForgettingPlan.Run) -> JSON {
    .members(
      FleetRendering.members(run.book) + [
        ("first", .position(run.first)), ("last", .position(run.last)),
        ("events", .integer(run.events)),
      ])
  }

  // MARK: The report

  /// Prints what was dropped, and what was kept.
  func show(_ report: ForgettingReport) {
    let runs = report.forgotten.filter { $0.events > 0 }
    let objects = runs.map(Self.json) + report.kept.map(Self.json)
    guard !output.tells(programs: objects) else { return }
    for kept in report.kept { show(kept) }
    guard !runs.isEmpty else {
      if report.kept.isEmpty { output.message(Self.nothing) }
      return
    }
    let histories = Figure.text(Int64(runs.count), "history", "histories")
    let events = Figure.text(report.events, "event", "events")
    output.line(
      output.painted("The fleet forgot \(events) of \(histories). They agreed.", .good))
    let unsigned = runs.count { !$0.isSigned }
    if unsigned > 0 {
      output.message(
        "\(Figure.text(Int64(unsigned), "history has", "histories have")) no signed checkpoint of all "
          + "these events: they agreed only with the roots that were shipped.")
    }
  }

  private func show(_ kept: ForgettingReport.Kept) {
    let name = Printable.text(FleetRendering.name(kept.book))
    switch kept.reason {
    case .mismatch(let problems):
      output.line(output.painted("\(name): does not agree. Its events were kept.", .bad))
      for problem in problems {
        output.lines(
          WrappedText.paragraph("- ", Printable.text(problem), width: output.columns))
      }
    case .unproven:
      output.message(
        "\(name): a recovery lost some of the events, so they are kept until all events up to the recovery "
          + "are old.")
    case .moving:
      output.message(
        "\(name): the events were kept, because this part of the fleet is moving to another server. Run "
          + "the command again later.")
    case .changed:
      output.message(
        "\(name): the events were kept, because others changed this history meanwhile. Run the command "
          + "again.")
    }
  }

  private static func json(_ run: ForgettingReport.Run) -> JSON {
    .members(
      FleetRendering.members(run.book) + [
        ("forgotten", .position(run.last)), ("events", .integer(run.events)),
        ("level", .text(run.level.rawValue)),
        ("covered", run.covered.map(JSON.position)),
        ("withheld", run.withheld > 0 ? .integer(run.withheld) : nil),
      ])
  }

  private static func json(_ kept: ForgettingReport.Kept) -> JSON {
    let problems: [String]? = if case .mismatch(let found) = kept.reason { found } else { nil }
    return .members(
      FleetRendering.members(kept.book) + [
        ("kept", .text(Self.word(kept.reason))),
        ("firstBad", kept.firstBad.map(JSON.position)),
        ("problems", problems.map { .list($0.map(JSON.text)) }),
      ])
  }

  private static func word(_ reason: ForgettingReport.Kept.Reason) -> String {
    switch reason {
    case .mismatch: "mismatch"
    case .unproven: "unproven"
    case .moving: "moving"
    case .changed: "changed"
    }
  }
}
