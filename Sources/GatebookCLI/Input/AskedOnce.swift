internal import Gatebook
internal import Glibc

/// An answer that is needed more than once and asked for once.
// Unchecked: the answer is reached only between lock and unlock.
final class AskedOnce: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var known: Secret?
  private let ask: @Sendable () throws(GatebookError) -> Secret

  init(_ ask: @escaping @Sendable () throws(GatebookError) -> Secret) {
    self.ask = ask
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// The answer; a question that failed is asked again.
  func answer() throws(GatebookError) -> Secret {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    if let known { return known }
    let answer = try ask()
    known = answer
    return answer
  }
}
