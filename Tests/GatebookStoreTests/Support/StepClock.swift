import GatebookEvents
import GatebookStore
import Glibc

/// A clock that advances by a fixed step at each reading.
// Unchecked: the variable is only used under `mutex`.
final class StepClock: BookClock, @unchecked Sendable {
  static let start = Timestamp(rawValue: 1_767_225_600_000_000)
  private var mutex = pthread_mutex_t()
  private var wall: Timestamp
  private let step: Duration

  init(at start: Timestamp = StepClock.start, step: Duration = .milliseconds(1)) {
    wall = start
    self.step = step
    pthread_mutex_init(&mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(&mutex)
  }

  func now() -> Moment {
    pthread_mutex_lock(&mutex)
    defer { pthread_mutex_unlock(&mutex) }
    wall = wall + step
    return Moment(wall: wall, boot: wall - Self.start)
  }
}
