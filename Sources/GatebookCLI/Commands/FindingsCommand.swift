internal import Gatebook

/// `gatebook findings`.
struct FindingsCommand: Command {
  private static let since = CommandOption.value(
    "--since", "T", "only what happened from this time on")
  private static let until = CommandOption.value(
    "--until", "T", "only what happened before this time; a day alone is included")

  static let help = Help(
    "findings", "Print what in the log a person should look at.", in: .audit,
    details: ["The rules:"]
      + FindingRule.allCases.map { "\($0.rawValue): \($0.threshold)." } + [
        "What is so now, such as a session that never ended, is told with --since, too. With --until "
          + "nothing is told of now: only what the log held by then.",
        ToldEvents.unchecked,
      ],
    options: [since, until], exits: [.done, .usage, .damaged, .cannotOpen, .cancelled],
    example: "gatebook findings --since '7 days ago'", isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    reader.heedCancellation()
    let account = try call.namedAccount(reader)?.account
    let span = try TimeSpan.read(Self.since, Self.until, call)
    call.progress.show("reading", events: try reader.head().size)
    let findings = try reader.findings(
      of: account, since: span.start, until: span.end, at: call.now)
    call.progress.finish()
    try PastRendering.tell(reader, call.output)
    if call.output.isJSON {
      for finding in findings { call.output.json(FindingRendering.json(finding)) }
      return .done
    }
    let names = AccountNames(try reader.accounts())
    for finding in findings {
      for line in FindingRendering.lines(finding, names: names, call.output) {
        call.output.line(line)
      }
    }
    call.output.message(FindingRendering.summary(findings))
    return .done
  }
}
