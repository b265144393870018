internal import Gatebook

@testable internal import GatebookCLI

/// One run of the program inside the test's process.
@MainActor struct InProcess {
  let exit: ExitCode
  let output: String
  let errors: String

  /// Runs a command line, with the sample commands if no others are named.
  static func run(
    _ line: [String?],
    table: [any Command.Type] = [SampleCommand.self, FailingCommand.self],
    environment: [String: String] = ["HOME": "/home/ada"]
  ) async -> InProcess {
    let results = MemorySink()
    let messages = MemorySink()
    let program = Invocation(
      line: line, table: table,
      surroundings: Surroundings(environment: environment, clock: FixedClock(), zone: .utc),
      results: results, messages: messages)
    let exit = await program.run()
    return InProcess(exit: exit, output: results.text, errors: messages.text)
  }
}
