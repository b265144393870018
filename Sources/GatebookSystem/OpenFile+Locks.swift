internal import Glibc

extension OpenFile {
  // F_OFD_GETLK, F_OFD_SETLK, F_OFD_SETLKW: glibc defines them only with _GNU_SOURCE.
  private static let get: Int32 = 36
  private static let set: Int32 = 37
  private static let setWaiting: Int32 = 38

  private static func range(_ byte: Int64, _ type: Int32, count: Int = 1) -> flock {
    flock(
      l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: Int(byte), l_len: count, l_pid: 0)
  }

  /// Locks the whole file, or a folder, as soon as no other open file has it locked in this way;
  /// blocks the thread (flock(2)).
  package func lockWholeWaiting() -> Bool {
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Locks a byte for this open file alone, if nobody else has it.
  package func lock(_ byte: Int64) -> Bool {
    var range = Self.range(byte, F_WRLCK)
    return fcntl(descriptor, Self.set, &range) == 0
  }

  /// Locks a byte as soon as nobody else has it; blocks the thread.
  package func lockWaiting(_ byte: Int64) -> Bool {
    var range = Self.range(byte, F_WRLCK)
    while fcntl(descriptor, Self.setWaiting, &range) != 0 {
      guard errno == EINTR else { return false }
    }
    return true
  }

  /// Whether another open file has a byte locked, or one of those from there on.
  ///
  /// - Parameters:
  ///   - byte: The first byte.
  ///   - count: How many bytes; 0 for all that follow.
  /// - Returns: Whether one of them is locked.
  package func isLocked(_ byte: Int64, count: Int = 1) -> Bool {
    var range = Self.range(byte, F_WRLCK, count: count)
    return fcntl(descriptor, Self.get, &range) == 0 && range.l_type != Int16(F_UNLCK)
  }

  /// Frees a byte.
  package func unlock(_ byte: Int64) {
    var range = Self.range(byte, F_UNLCK)
    _ = fcntl(descriptor, Self.set, &range)
  }
}
