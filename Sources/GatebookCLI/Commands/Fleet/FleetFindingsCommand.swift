internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet findings`.
struct FleetFindingsCommand: Command {
  private static let since = CommandOption.value(
    "--since", "T", "only what happened from this time on")
  private static let until = CommandOption.value(
    "--until", "T", "only what happened before this time; a day alone is included")
  private static let severity = CommandOption.choice(
    "--severity", Finding.Severity.allCases.map(\.rawValue),
    "only findings of this severity or higher")
  private static let silentAfter = CommandOption.value(
    "--silent-after", "T", "a book that was not heard for so long is silent, as in 12h or 7d (7d)")
  private static let fail = CommandOption.flag(
    "--fail", "exit with 1 if something is found, for monitoring")

  static let help = Help(
    "fleet findings", "Print what in a fleet needs a person's attention.", in: .fleet,
    details: ["The rules across books:"]
      + FleetRule.allCases.map { "\($0.rawValue): \($0.threshold)." } + [
        "Beside them the rules of `gatebook findings` are applied to each book. Over many books, those that "
          + "read every renewal are left out, and rules about storms read the newest 500,000 renewals "
          + "unless --since says otherwise. Rules about persons do so with logins. The answer says what was not checked."
      ] + FleetQuestion.details,
    positionals: [.account],
    options: [since, until, severity, silentAfter, fail] + FleetQuestion.options,
    exitNotes: [(.failed, "with --fail: something was found")] + FleetQuestion.exitNotes,
    examples: [
      "gatebook fleet findings --since '7 days ago'",
      "gatebook fleet findings --severity warning --fail",
    ], isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let missing = MissingServers(call)
    let reader = try FleetQuestion.reader(call, missing)
    let scope = try FleetQuestion.scope(call)
    let span = try TimeSpan.read(Self.since, Self.until, call)
    var filter = FleetFindingFilter(since: span.start, until: span.end)
    if let silence = try call.arguments.interval(Self.silentAfter) { filter.silentAfter = silence }
    let least = call.arguments.choice(Self.severity) ?? Finding.Severity.note
    let now = call.now.wall
    let asked = filter
    call.progress.show("asking the fleet")
    let answer = try await FleetQuestion.ask {
      try await reader.findings(scope, asked, at: now)
    }
    call.progress.finish()
    let findings = answer.findings.filter { $0.severity >= least }
    let exit: ExitCode = findings.isEmpty || !call.arguments.has(Self.fail) ? .done : .failed
    let objects =
      findings.map(FleetFindingRendering.json) + [FleetFindingRendering.json(answer.unchecked)]
    guard !call.output.tells(programs: objects) else { return missing.finish(exit) }
    for finding in findings {
      call.output.lines(FleetFindingRendering.lines(finding, call.output))
    }
    call.output.message(
      FindingRendering.summary(
        findings.map(\.severity),
        of: FindingRule.allCases.count + FleetRule.allCases.count - answer.unchecked.count,
        least: least))
    if let start = answer.renewalsSince {
      call.output.message(
        "Rules about storms read the renewals from \(call.output.times.text(start)) on. `--since T` reads "
          + "those from another time on.")
    }
    if let start = answer.loginsSince {
      call.output.message(
        "Rules about persons read the logins from \(call.output.times.text(start)) on. `--since T` reads "
          + "those from another time on.")
    }
    if answer.booksWithoutPseudonyms > 0 {
      let books = Int64(answer.booksWithoutPseudonyms)
      call.output.message(
        "Rules about persons do not see all events of \(Figure.text(books, "book", "books")): their names "
          + "were shipped without pseudonyms.")
    }
    for rule in answer.unchecked {
      call.output.message("Not checked: \(rule.rule), because \(rule.reason).")
    }
    return missing.finish(exit)
  }
}
