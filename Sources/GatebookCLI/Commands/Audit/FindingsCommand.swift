internal import Gatebook

/// `gatebook findings`.
struct FindingsCommand: Command {
  private static let since = CommandOption.value(
    "--since", "T", "only what happened from this time on")
  private static let until = CommandOption.value(
    "--until", "T", "only what happened before this time; a day alone is included")
  private static let severity = CommandOption.choice(
    "--severity", Finding.Severity.allCases.map(\.rawValue),
    "only findings of this severity or higher")
  private static let fail = CommandOption.flag(
    "--fail", "exit with 1 if something is found, for monitoring")

  static let help = Help(
    "findings", "Print what in the log needs a person's attention.", in: .audit,
    details: ["The rules:"]
      + FindingRule.allCases.map { "\($0.rawValue): \($0.threshold)." } + [
        "Findings about the present, such as a session that never ended, appear with --since too. With "
          + "--until only events up to that time count.",
        ToldEvents.unchecked,
      ],
    positionals: [.account], options: [since, until, severity, fail],
    exitNotes: [(.failed, "with --fail: something was found")],
    examples: [
      "gatebook findings --since '7 days ago'", "gatebook findings work --severity alarm",
    ], isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    reader.heedCancellation()
    let account = try call.namedAccount(reader)?.account
    let span = try TimeSpan.read(Self.since, Self.until, call)
    call.progress.show("reading", events: try reader.head().size)
    let least = call.arguments.choice(Self.severity) ?? Finding.Severity.note
    let findings = try reader.findings(
      of: account, since: span.start, until: span.end, at: call.now
    ).filter { $0.severity >= least }
    call.progress.finish()
    try PastRendering.tell(reader, call.output)
    let exit: ExitCode = findings.isEmpty || !call.arguments.has(Self.fail) ? .done : .failed
    guard !call.output.tells(programs: findings.map(FindingRendering.json)) else { return exit }
    let names = AccountNames(try reader.accounts())
    for finding in findings {
      call.output.lines(FindingRendering.lines(finding, names: names, call.output))
    }
    call.output.message(FindingRendering.summary(findings, least: least))
    return exit
  }
}
