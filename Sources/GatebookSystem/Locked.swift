/// One value protected by one lock; threads that wait for a condition are woken after every change.
///
/// `Synchronization.Mutex` lets nobody wait, and makes Thread Sanitizer report correct code.
// Unchecked: the value is reached only between lock and unlock.
package final class Locked<Value: Sendable>: @unchecked Sendable {
  private let changed = Condition()
  private var value: Value

  /// Protects a value with a lock.
  package init(_ value: Value) {
    self.value = value
  }

  /// Reads or changes the value.
  ///
  /// - Parameter body: What is done; it must not lock again.
  /// - Returns: What `body` returns.
  /// - Throws: What `body` throws.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    changed.lock()
    defer {
      changed.broadcast()
      changed.unlock()
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
    changed.lock()
    defer {
      changed.broadcast()
      changed.unlock()
    }
    while !condition(value) { changed.wait() }
    return body(&value)
  }

  /// Blocks the thread until the condition holds, or until a time of ``SystemTime/monotonic``; may
  /// return earlier.
  ///
  /// - Parameters:
  ///   - condition: What is waited for.
  ///   - time: How long at most.
  /// - Returns: The value then.
  package func value(once condition: (Value) -> Bool, until time: Int64) -> Value {
    changed.lock()
    defer { changed.unlock() }
    if !condition(value) { changed.wait(until: time) }
    return value
  }
}
