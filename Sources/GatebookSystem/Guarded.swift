/// One value protected by one lock; threads that wait for a condition are woken after every change.
// Unchecked: the value is reached only between lock and unlock.
package final class Guarded<Value: Sendable>: @unchecked Sendable {
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
}
