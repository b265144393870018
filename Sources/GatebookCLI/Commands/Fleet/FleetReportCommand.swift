internal import Gatebook

/// `gatebook fleet report`.
struct FleetReportCommand: Command {
  static let help = Help(
    "fleet report", "Write a report of a book of another machine as one page for a browser.",
    in: .fleet,
    details: [
      "It pulls the book into a temporary file, writes the page that `gatebook report` writes of it "
        + "without a key, and removes the file.",
      PulledCopy.names,
      FleetArguments.passwords,
    ],
    positionals: ReportCommand.help.positionals,
    options: [ReportCommand.file, ReportCommand.since, ReportCommand.until] + PulledCopy.options,
    examples: ["gatebook fleet report --book laptop17 -o laptop17.html"], isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    try await PulledCopy.run(ReportCommand(), call)
  }
}
