/// The source of the time; passed to initializers so that every run can be repeated.
public protocol BookClock: Sendable {
  /// Both clocks, read now.
  func now() -> Moment

  /// Waits; a cancelled wait ends early.
  ///
  /// A clock for tests can advance the time instead.
  func sleep(for duration: Duration) async

  /// Waits between two looks at what another process may have changed; a cancelled wait ends early.
  ///
  /// No time has to pass for it: a clock for tests can return when the test wants the next look.
  func pause(for duration: Duration) async
}

extension BookClock {
  /// Waits in real time.
  public func sleep(for duration: Duration) async {
    try? await Task.sleep(for: duration)
  }

  /// Waits in real time.
  public func pause(for duration: Duration) async {
    try? await Task.sleep(for: duration)
  }

  /// Waits until so much time has passed since the machine's start.
  ///
  /// It looks again and again, because only the clock itself knows how fast its time passes.
  ///
  /// - Returns: Whether the time has come; `false` when the task was cancelled before.
  package func reaches(_ deadline: Duration) async -> Bool {
    while now().boot < deadline {
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return false }
    }
    return true
  }
}
