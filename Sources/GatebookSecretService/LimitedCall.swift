internal import GatebookEvents
internal import GatebookSystem
internal import Glibc

/// Work on a thread of its own that its caller waits for so long and no longer: a keyring that does
/// not answer holds up nobody.
///
/// Work that is late goes on until it ends by itself; nobody hears what came of it.
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
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let ended = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  /// How often it is looked whether the task was cancelled, in nanoseconds: a thread that waits for
  /// a condition hears nothing else.
  private static var glance: Int { 20_000_000 }

  private init() {
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(ended, &attributes)
    pthread_condattr_destroy(&attributes)
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_cond_destroy(ended)
    pthread_mutex_destroy(mutex)
    ended.deallocate()
    mutex.deallocate()
  }

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
    pthread_mutex_lock(mutex)
    self.outcome = outcome
    pthread_cond_signal(ended)
    pthread_mutex_unlock(mutex)
  }

  private func wait(
    until end: ContinuousClock.Instant
  ) -> Result<Result<Value, GatebookError>, Abandonment> {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let outcome { return .success(outcome) }
      if Task.isCancelled { return .failure(.cancelled) }
      guard .now < end else { return .failure(.late) }
      var time = timespec()
      clock_gettime(CLOCK_MONOTONIC, &time)
      time.tv_nsec += Self.glance
      if time.tv_nsec >= 1_000_000_000 {
        time.tv_sec += 1
        time.tv_nsec -= 1_000_000_000
      }
      pthread_cond_timedwait(ended, mutex, &time)
    }
  }
}
