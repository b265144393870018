internal import Gatebook
internal import Glibc

/// Why something was not done as it was wished, told from any thread.
// Unchecked: the reason is reached only between lock and unlock.
final class HeardReason: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var reason: GatebookError?

  init() {
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Takes a reason; the last one counts.
  func hear(_ reason: GatebookError) {
    pthread_mutex_lock(mutex)
    self.reason = reason
    pthread_mutex_unlock(mutex)
  }

  /// The reason that was told; `nil` for none.
  var heard: GatebookError? {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return reason
  }
}
