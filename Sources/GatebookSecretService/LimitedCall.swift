internal import GatebookEvents
internal import GatebookSystem

/// Work on a thread of its own that its caller waits for so long and no longer: a keyring that does
/// not answer holds up nobody.
///
/// Late work continues to its end; its result is not used.
// Unchecked: the outcome is reached only between lock and unlock.
final class LimitedCall<Value: Sendable>: @unchecked Sendable {
  /// Why there is no outcome.
  enum Abandonment: Error {
    /// The limit was reached.
    case late
    /// The task that waits was cancelled.
    case cancelled
  }

  private var outcome: Result<Value, GatebookError>?
  private let ended = Condition()
  /// How often it is looked whether the task was cancelled, in microseconds: a thread that waits
  /// for a condition hears nothing else.
  private static var glance: Int64 { 20_000 }

  private init() {}

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
    let call = LimitedCall()
    try PosixThread.detach { call.end(work()) }
    return call.wait(until: .now + limit)
  }

  private func end(_ outcome: Result<Value, GatebookError>) {
    ended.lock()
    self.outcome = outcome
    ended.signal()
    ended.unlock()
  }

  private func wait(
    until end: ContinuousClock.Instant
  ) -> Result<Result<Value, GatebookError>, Abandonment> {
    ended.lock()
    defer { ended.unlock() }
    while true {
      if let outcome { return .success(outcome) }
      if Task.isCancelled { return .failure(.cancelled) }
      guard .now < end else { return .failure(.late) }
      ended.wait(until: SystemTime.monotonic + Self.glance)
    }
  }
}
