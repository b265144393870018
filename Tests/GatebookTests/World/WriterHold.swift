import Glibc

/// Holds a book's writer lock as another process would, from the moment on when it is taken.
final class WriterHold: Sendable {
  private let path: String
  private let descriptor = TestBox<Int32>(-1)

  init(_ world: TestBook) { path = world.path + "-lock" }

  deinit { release() }

  /// Takes the lock; whether it could be had.
  @discardableResult
  func take() -> Bool {
    let opened = open(path, O_RDWR | O_CLOEXEC)
    // F_OFD_SETLK is 37 on Linux; byte 1 is the writer's.
    var lock = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: 1, l_len: 1, l_pid: 0)
    guard opened >= 0, fcntl(opened, 37, &lock) == 0 else { return false }
    descriptor.value = opened
    return true
  }

  func release() {
    let held = descriptor.withLock { descriptor in
      defer { descriptor = -1 }
      return descriptor
    }
    if held >= 0 { close(held) }
  }
}
