internal import Glibc
internal import Testing

/// Sees who closes a book's lock file: each try at an account's lock that fails closes it again.
final class LockWatch {
  private let descriptor: Int32

  init(_ book: String) throws {
    descriptor = inotify_init1(Int32(IN_CLOEXEC))
    try #require(inotify_add_watch(descriptor, "\(book)-lock", UInt32(IN_CLOSE_WRITE)) >= 0)
  }

  deinit { close(descriptor) }

  /// Waits until the file was closed once more; a minute without it fails the test.
  func next() throws {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    try #require(poll(&watched, 1, 60_000) == 1, "nobody tried to take an account's lock")
    var events = [UInt8](repeating: 0, count: 4096)
    try #require(read(descriptor, &events, events.count) > 0)
  }
}
