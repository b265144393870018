internal import Gatebook
internal import GatebookSystem
internal import Glibc

/// A thread that calls asynchronous work again and again, and waits for it each time.
struct CallingThread {
  private let thread: PosixThread

  /// Starts it; it ends after the call that brings it past the moment.
  init(
    until end: ContinuousClock.Instant, calling work: @escaping @Sendable (Int) async -> Void
  ) throws(GatebookError) {
    thread = try PosixThread {
      let turnstile = Turnstile()
      var count = 0
      while ContinuousClock.now < end {
        count += 1
        let number = count
        Task {
          await work(number)
          turnstile.open()
        }
        turnstile.pass()
      }
    }
  }

  /// Waits until it has ended.
  func join() { thread.join() }

  /// Lets its thread through once for each time that it was opened.
  // Sendable by hand: a semaphore is made for several threads.
  private final class Turnstile: @unchecked Sendable {
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func open() { sem_post(semaphore) }

    func pass() {
      while sem_wait(semaphore) != 0, errno == EINTR {}
    }
  }
}
