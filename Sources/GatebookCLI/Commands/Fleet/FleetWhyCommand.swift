internal import Gatebook

/// `gatebook fleet why`.
struct FleetWhyCommand: Command {
  static let help = Help(
    "fleet why", "Explain the state of an account of another machine, or why an event happened.",
    in: .fleet,
    details: [
      "It pulls the book into a temporary file, answers as `gatebook why` does there without a key, and "
        + "removes the file.",
      PulledCopy.names,
      FleetArguments.passwords,
    ],
    positionals: WhyCommand.help.positionals, options: PulledCopy.options,
    examples: ["gatebook fleet why --book laptop17 49d4e71d"], isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    try await PulledCopy.run(WhyCommand(), call)
  }
}
