internal import GatebookEvents
internal import GatebookSystem

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
    let file: OpenFile
    var phase = Phase.idle
    /// When it may begin to wait in the kernel's queue.
    var start: Int64 = 0
    let changed = Condition()

    init(_ file: OpenFile) {
      self.file = file
    }

    func run() {
      changed.lock()
      while phase != .stopped {
        guard phase == .waiting else {
          // The caller gave up before this thread came to wait for it.
          if phase == .abandoned { phase = .idle }
          changed.wait()
          continue
        }
        guard SystemTime.monotonic >= start else {
          changed.wait(until: start)
          continue
        }
        changed.unlock()
        let turn = file.lockWaiting(0)
        let got = turn && file.lockWaiting(1)
        file.unlock(0)
        changed.lock()
        if phase == .waiting {
          phase = got ? .held : .failed
        } else if got {
          file.unlock(1)
          if phase == .abandoned { phase = .idle }
        }
        changed.broadcast()
      }
      changed.unlock()
    }
  }

  // A year: what is longer would only overflow.
  private static let longest: Int64 = 31_536_000_000_000
  private let shared: Shared
  private var hasThread = false

  init(_ file: OpenFile) {
    shared = Shared(file)
  }

  /// Whether its thread neither waits nor holds anything.
  var isIdle: Bool {
    shared.changed.lock()
    defer { shared.changed.unlock() }
    return shared.phase == .idle
  }

  private static let pause: Int64 = 300
  // How long a caller who is cancelled meanwhile may not be heard of.
  private static let glance: Int64 = 20_000

  /// Waits for the writer lock.
  ///
  /// - Parameters:
  ///   - wait: For how long.
  ///   - release: When this object last released it. A thread that waits for a byte needs some
  ///     50 µs to wake up, and the kernel gives the byte to the first one that asks. So this one
  ///     pauses after a release: others come first.
  ///   - isWanted: Asked every now and then, and when the lock has come.
  /// - Returns: Whether it came in time, and is wanted still.
  /// - Throws: `limit.exceeded` when the machine has no thread left to wait on.
  func lockWriter(
    wait: Duration, after release: Int64, while isWanted: () -> Bool
  ) throws(GatebookError) -> Bool {
    try startThread()
    let end = SystemTime.monotonic + min(max(0, wait.microseconds), Self.longest)
    shared.changed.lock()
    defer { shared.changed.unlock() }
    // The thread may still wait for a caller that gave up: its place in the queue is taken over.
    shared.phase = .waiting
    shared.start = release + Self.pause
    shared.changed.broadcast()
    while shared.phase == .waiting {
      let now = SystemTime.monotonic
      guard now < end, isWanted() else {
        shared.phase = .abandoned
        return false
      }
      let next = min(end, now + Self.glance)
      shared.changed.wait(until: next)
    }
    let held = shared.phase == .held
    shared.phase = .idle
    guard held, !isWanted() else { return held }
    shared.file.unlock(1)
    return false
  }

  func stop() {
    shared.changed.lock()
    shared.phase = .stopped
    shared.changed.broadcast()
    shared.changed.unlock()
  }

  private func startThread() throws(GatebookError) {
    guard !hasThread else { return }
    try PosixThread.detach { [shared] in shared.run() }
    hasThread = true
  }
}
