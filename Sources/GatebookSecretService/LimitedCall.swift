internal import GatebookEvents
internal import GatebookSystem

/// Work on a thread of its own that its caller waits for so long and no longer: a keyring that does
/// not answer holds up nobody.
///
/// Late work continues to its end; its result is not used.
enum LimitedCall<Value: Sendable> {
  /// Why there is no outcome.
  enum Abandonment: Error {
    /// The limit was reached.
    case late
    /// The task that waits was cancelled.
    case cancelled
  }

  /// How often it is looked whether the task was cancelled, in microseconds: a thread that waits
  /// for a condition hears nothing else.
  private static var glance: Int64 { 20_000 }

  /// Runs work and waits for it.
  ///
  /// - Parameters:
  ///   - limit: How long to wait at most.
  ///   - work: What is done on the thread.
  /// - Returns: What came of it, or why nobody waits any longer.
  /// - Throws: `limit.exceeded` when the machine has no thread left.
  static func run(
    limit: Duration, _ work: @escaping @Sendable () -> Result<Value, GatebookError>
  ) throws(GatebookError) -> Result<Result<Value, GatebookError>, Abandonment> {
    let outcome = Locked<Result<Value, GatebookError>?>(nil)
    try PosixThread.detach {
      let result = work()
      outcome.withLock { $0 = result }
    }
    let end = ContinuousClock.now + limit
    while true {
      let glance = SystemTime.monotonic + glance
      if let outcome = outcome.value(once: { $0 != nil }, until: glance) {
        return .success(outcome)
      }
      if Task.isCancelled { return .failure(.cancelled) }
      guard .now < end else { return .failure(.late) }
    }
  }
}
