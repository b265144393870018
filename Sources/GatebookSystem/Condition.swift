internal import Glibc

/// A lock, and threads that wait under it for a change.
// Unchecked: the system's calls order the threads.
package final class Condition: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let changed = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  /// Makes a lock that nobody holds.
  package init() {
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    // A wait must not end with a clock that somebody sets.
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(changed, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(changed)
    pthread_mutex_destroy(mutex)
    changed.deallocate()
    mutex.deallocate()
  }

  /// Takes the lock; blocks the thread.
  package func lock() { pthread_mutex_lock(mutex) }

  /// Frees the lock.
  package func unlock() { pthread_mutex_unlock(mutex) }

  /// Frees the lock, waits for a change, and takes the lock again; may return without one.
  package func wait() { pthread_cond_wait(changed, mutex) }

  /// Waits as ``wait()``, but no longer than until a time of ``SystemTime/monotonic``.
  package func wait(until time: Int64) {
    var moment = timespec(tv_sec: Int(time / 1_000_000), tv_nsec: Int(time % 1_000_000) * 1000)
    pthread_cond_timedwait(changed, mutex, &moment)
  }

  /// Wakes one thread that waits.
  package func signal() { pthread_cond_signal(changed) }

  /// Wakes all threads that wait.
  package func broadcast() { pthread_cond_broadcast(changed) }

  /// Does something under the lock.
  package func withLock<Result>(_ body: () -> Result) -> Result {
    lock()
    defer { unlock() }
    return body()
  }
}
