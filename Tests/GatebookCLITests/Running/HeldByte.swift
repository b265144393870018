internal import Glibc
internal import Testing

/// One byte of a book's lock file, held as another process would hold it: 0 is the turnstile of
/// those who write, 1 the one who writes, 2^32 + 1 the renewal of the book's first account.
final class HeldByte {
  /// The renewal of the book's first account.
  static let firstAccount = 1 << 32 + 1

  // Glibc's module lacks F_OFD_GETLK, F_OFD_SETLK and F_OFD_SETLKW (fcntl.h).
  private static let ofdGetLock: Int32 = 36
  private static let ofdSetLock: Int32 = 37
  private static let ofdSetLockWait: Int32 = 38
  private let descriptor: Int32

  /// Waits for the byte and takes it.
  init(_ byte: Int, of book: String) throws {
    descriptor = open("\(book)-lock", O_RDWR | O_CLOEXEC)
    var range = Self.range(byte)
    while fcntl(descriptor, Self.ofdSetLockWait, &range) != 0 {
      try #require(errno == EINTR, "errno \(errno)")
    }
  }

  deinit { close(descriptor) }

  /// Gives the byte back.
  func release() {
    var range = Self.range(0, F_UNLCK)
    range.l_len = 0
    _ = fcntl(descriptor, Self.ofdSetLock, &range)
  }

  /// Whether somebody else holds a byte.
  func isTaken(_ byte: Int) -> Bool {
    var range = Self.range(byte)
    return fcntl(descriptor, Self.ofdGetLock, &range) == 0 && range.l_type != Int16(F_UNLCK)
  }

  private static func range(_ byte: Int, _ type: Int32 = F_WRLCK) -> flock {
    flock(l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: byte, l_len: 1, l_pid: 0)
  }
}
