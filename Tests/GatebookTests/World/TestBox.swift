import Glibc

/// One value that tests set while code under test reads it.
// Sendable by hand: the value is touched under the mutex alone.
final class TestBox<Value: Sendable>: @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  private var stored: Value

  init(_ value: Value) {
    stored = value
    pthread_mutex_init(&mutex, nil)
  }

  deinit { pthread_mutex_destroy(&mutex) }

  var value: Value {
    get {
      pthread_mutex_lock(&mutex)
      defer { pthread_mutex_unlock(&mutex) }
      return stored
    }
    set {
      pthread_mutex_lock(&mutex)
      defer { pthread_mutex_unlock(&mutex) }
      stored = newValue
    }
  }

  /// Reads and changes the value as one step.
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return body(&stored)
  }
}
