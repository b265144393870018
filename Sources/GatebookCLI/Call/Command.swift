/// One command of `gatebook`: a file of its own with its help, one library call and two renderings.
protocol Command: SendableMetatype {
  /// What the command is called, takes and answers.
  static var help: Help { get }

  init()

  /// Does it.
  ///
  /// - Parameter call: What was asked for, and where results go.
  /// - Returns: How the program ends.
  /// - Throws: `GatebookError`, `UsageError` or `CancellationError`.
  @MainActor func run(_ call: Call) async throws -> ExitCode
}
