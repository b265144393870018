internal import Gatebook

/// `gatebook fleet show`.
struct FleetShowCommand: Command {
  static let help = Help(
    "fleet show",
    "Show the context of an account of another machine, now or as of a time, or one event.",
    in: .fleet,
    details: [
      "It pulls the book into a temporary file, answers as `gatebook show` does there without a key, and "
        + "removes the file.",
      PulledCopy.names,
      FleetArguments.passwords,
    ],
    positionals: ShowCommand.help.positionals,
    options: ShowCommand.help.options + PulledCopy.options,
    examples: [
      "gatebook fleet show --book laptop17 1432",
      "gatebook fleet show --book laptop17 49d4e71d --as-of '2h ago'",
    ], isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    try await PulledCopy.run(ShowCommand(), call)
  }
}
