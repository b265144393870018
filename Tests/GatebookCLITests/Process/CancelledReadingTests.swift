internal import Gatebook
internal import GatebookFakes
internal import Testing

@testable internal import GatebookCLI

/// Commands that only read, in a run that was cancelled.
@MainActor struct CancelledReadingTests {
  /// Runs `gatebook` within this process, in a task that is cancelled.
  private static func cancelled(_ line: [String], _ scene: Scene) async -> InProcess {
    await Task { @MainActor in
      withUnsafeCurrentTask { $0?.cancel() }
      return await InProcess.run(
        line, table: CommandTable.commands, environment: scene.environment)
    }.value
  }

  @Test(arguments: [
    ["log"], ["log", "--json"], ["log", "--failed"], ["verify"], ["findings"],
    ["doctor", "--offline"], ["rebuild", "--check"], ["stats"], ["stats", "--by", "day"],
    ["sessions"], ["sessions", "--as-of", "4"],
  ])
  func `one signal ends a reading command, and nothing is reported as damage`(
    _ line: [String]
  ) async throws {
    let scene = try Scene()
    try scene.logIn(.ada, label: "ada")
    let ending = await Self.cancelled(line, scene)
    #expect(ending.exit == .cancelled, "\(ending.output)\(ending.errors)")
    #expect(ending.output.isEmpty, "\(ending.output)")
    #expect(ending.errors.contains("Cancelled."), "\(ending.errors)")
    #expect(try scene.start(line).end().exit == 0)
  }
}
