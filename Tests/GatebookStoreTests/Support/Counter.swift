import Glibc

/// A number that many tasks count up.
// Unchecked: the variable is only used under `mutex`.
final class Counter: @unchecked Sendable {
  private var mutex = pthread_mutex_t()
  private var count = 0

  init() {
    pthread_mutex_init(&mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(&mutex)
  }

  func add() {
    pthread_mutex_lock(&mutex)
    count += 1
    pthread_mutex_unlock(&mutex)
  }

  var value: Int {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    return count
  }

  /// Lets other tasks run until the number is reached.
  func reach(_ number: Int) async {
    while value < number { await Task.yield() }
  }
}
