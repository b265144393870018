internal import GatebookSystem

/// A program that was started for the person and is left to itself.
struct StartedProgram: Sendable {
  private let process: ChildProcess

  /// Starts a program without a shell, with nothing to read and nowhere to print; `nil` when it
  /// cannot be started.
  ///
  /// It has a session of its own: Ctrl-C on the terminal is for Gatebook.
  ///
  /// - Parameter line: The program, looked for in `PATH`, and its arguments.
  init?(_ line: [String]) {
    guard let name = line.first,
      let process = ChildProcess(
        name, line, streams: [.nothing, .nothing, .nothing], isOwnSession: true)
    else { return nil }
    self.process = process
  }

  /// Whether it ends with a failure.
  ///
  /// - Parameter limit: How long to wait for its end; `nil` for as long as it runs.
  /// - Returns: `false` too when it still runs then, or the caller was cancelled.
  func fails(within limit: Duration? = nil) async -> Bool {
    let start = ContinuousClock.now
    while true {
      let (isRunning, end) = process.look()
      guard isRunning else { return end?.isFailure == true }
      if let limit, ContinuousClock.now - start > limit { return false }
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return false }
    }
  }
}
