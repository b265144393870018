internal import Glibc

/// One value behind one lock; whoever waits for a condition is woken after every change.
// Unchecked: the value is reached only between lock and unlock.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var value: Value

  /// Puts a value behind a lock.
  package init(_ value: Value) {
    self.value = value
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(changed, nil)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the value.
  ///
  /// - Parameter body: What is done; it must not lock again.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Blocks the thread until the condition holds, then reads or changes the value in one go.
  ///
  /// - Parameters:
  ///   - condition: What is waited for.
  ///   - body: What is done; it must not lock again.
  /// - Returns: What `body` returns.
  package func withLock<Result>(
    once condition: (Value) -> Bool, _ body: (inout Value) -> Result
  ) -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(changed)
      pthread_mutex_unlock(mutex)
    }
    while !condition(value) { pthread_cond_wait(changed, mutex) }
    return body(&value)
  }
}
