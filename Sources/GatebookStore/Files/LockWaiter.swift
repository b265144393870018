internal import GatebookEvents
internal import GatebookThreads
internal import Glibc

/// Waits in the kernel's queue for the writer lock on a thread of its own, so that the one who
/// asked can give up in time: a blocked `fcntl` cannot be woken without a signal.
///
/// A lock that arrives after its caller gave up is released at once.
///
/// It owns the lock file's descriptor: only it knows when no thread waits on it any more.
final class LockWaiter {
  private enum Phase {
    case idle
    case waiting
    case abandoned
    case held
    case failed
    case stopped
  }

  // Sendable by hand: every access to `phase` is under `mutex`.
  private final class Shared: @unchecked Sendable {
    let descriptor: Int32
    var phase = Phase.idle
    var mutex = pthread_mutex_t()
    var changed = pthread_cond_t()

    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      pthread_mutex_init(&mutex, nil)
      var attributes = pthread_condattr_t()
      pthread_condattr_init(&attributes)
      pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
      pthread_cond_init(&changed, &attributes)
      pthread_condattr_destroy(&attributes)
    }

    deinit {
      pthread_cond_destroy(&changed)
      pthread_mutex_destroy(&mutex)
      close(descriptor)
    }

    func run() {
      pthread_mutex_lock(&mutex)
      while phase != .stopped {
        guard phase == .waiting else {
          // The caller gave up before this thread came to wait for it.
          if phase == .abandoned { phase = .idle }
          pthread_cond_wait(&changed, &mutex)
          continue
        }
        pthread_mutex_unlock(&mutex)
        let turn = BookLock.takeWaiting(descriptor, 0)
        let got = turn && BookLock.takeWaiting(descriptor, 1)
        BookLock.release(descriptor, 0)
        pthread_mutex_lock(&mutex)
        if phase == .waiting {
          phase = got ? .held : .failed
        } else if got {
          BookLock.release(descriptor, 1)
          if phase == .abandoned { phase = .idle }
        }
        pthread_cond_broadcast(&changed)
      }
      pthread_mutex_unlock(&mutex)
    }
  }

  // A year: what is longer would only overflow.
  private static let longest: Int64 = 31_536_000_000_000
  private let shared: Shared
  private var hasThread = false

  init(_ descriptor: Int32) {
    shared = Shared(descriptor)
  }

  /// Whether its thread neither waits nor holds anything.
  var isIdle: Bool {
    pthread_mutex_lock(&shared.mutex)
    defer { pthread_mutex_unlock(&shared.mutex) }
    return shared.phase == .idle
  }

  // How long a caller who is cancelled meanwhile may not be heard of.
  private static let glance: Int64 = 20_000

  /// Waits for the writer lock.
  ///
  /// - Parameters:
  ///   - wait: For how long.
  ///   - isWanted: Asked every now and then, and when the lock has come.
  /// - Returns: Whether it came in time, and is wanted still.
  /// - Throws: `limit.exceeded` when the machine has no thread left to wait on.
  func lockWriter(
    wait: Duration, while isWanted: () -> Bool
  ) throws(GatebookError) -> Bool {
    try startThread()
    let end = Self.now + min(max(0, wait.microseconds), Self.longest)
    pthread_mutex_lock(&shared.mutex)
    defer { pthread_mutex_unlock(&shared.mutex) }
    // The thread may still wait for a caller that gave up: its place in the queue is taken over.
    shared.phase = .waiting
    pthread_cond_broadcast(&shared.changed)
    while shared.phase == .waiting {
      let now = Self.now
      guard now < end, isWanted() else {
        shared.phase = .abandoned
        return false
      }
      let next = min(end, now + Self.glance)
      var moment = timespec(tv_sec: Int(next / 1_000_000), tv_nsec: Int(next % 1_000_000) * 1000)
      pthread_cond_timedwait(&shared.changed, &shared.mutex, &moment)
    }
    let held = shared.phase == .held
    shared.phase = .idle
    guard held, !isWanted() else { return held }
    BookLock.release(shared.descriptor, 1)
    return false
  }

  /// The monotonic clock, in microseconds.
  private static var now: Int64 {
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
  }

  func stop() {
    pthread_mutex_lock(&shared.mutex)
    shared.phase = .stopped
    pthread_cond_broadcast(&shared.changed)
    pthread_mutex_unlock(&shared.mutex)
  }

  private func startThread() throws(GatebookError) {
    guard !hasThread else { return }
    try PosixThread.detach { [shared] in shared.run() }
    hasThread = true
  }
}
