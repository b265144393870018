internal import GatebookFakes
internal import Glibc

/// Holds the answers of a fake server back until it is opened; after a minute they go all the same.
// Sendable by hand: a semaphore is made for several threads.
final class Door: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// The server acts, then its answer waits here.
  var fault: LoopbackFault { fault { $0 } }

  /// The server acts; then the replacement for its answer waits here.
  func fault(_ change: @escaping @Sendable (LoopbackReply) -> LoopbackReply) -> LoopbackFault {
    .alter { [self] reply in
      pass()
      return change(reply)
    }
  }

  /// Lets through who waits, and all who come later.
  func open() { sem_post(semaphore) }

  private func pass() {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += 60
    while sem_timedwait(semaphore, &end) != 0, errno == EINTR {}
    open()
  }
}
