internal import Glibc

/// Reading and writing with a descriptor that somebody else opened.
package enum FileDescriptor {
  package static let standardInput = STDIN_FILENO
  package static let standardError = STDERR_FILENO

  /// Reads once, also when a signal interrupts it.
  ///
  /// - Returns: Empty at the end; `nil` when it cannot be read, and ``SystemError/last`` says why.
  package static func read(_ descriptor: Int32, atMost count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    let filled = bytes.withUnsafeMutableBytes { read(descriptor, into: $0) }
    guard filled >= 0 else { return nil }
    bytes.removeLast(count - filled)
    return bytes
  }

  /// Reads once, also when a signal interrupts it.
  ///
  /// - Returns: How many bytes were filled; below 0 when it cannot be read.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer
  ) -> Int {
    uninterrupted { Glibc.read(descriptor, buffer.baseAddress, buffer.count) }
  }

  /// Reads once at a place; otherwise as ``read(_:into:)``.
  package static func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, at place: Int
  ) -> Int {
    uninterrupted { pread(descriptor, buffer.baseAddress, buffer.count, place) }
  }

  /// Writes all bytes, also when a signal interrupts it.
  ///
  /// - Returns: Whether all were written; ``SystemError/last`` says why not.
  package static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32) -> Bool {
    let bytes = Array(bytes)
    return bytes.withUnsafeBytes { bytes in
      var done = 0
      while done < bytes.count {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
        let count = uninterrupted { Glibc.write(descriptor, rest.baseAddress, rest.count) }
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
  }

  /// Reads one byte, once.
  ///
  /// - Returns: `[]` at the end; `nil` when it cannot be read, also when a signal interrupts it.
  package static func readByte(_ descriptor: Int32) -> [UInt8]? {
    var byte: UInt8 = 0
    let count = Glibc.read(descriptor, &byte, 1)
    return count < 0 ? nil : count == 0 ? [] : [byte]
  }

  /// Writes once; returns how many bytes were taken, below 0 when it fails.
  package static func writeOnce(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int {
    bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Waits until some can be read, or have ended.
  ///
  /// - Parameters:
  ///   - descriptors: What is watched.
  ///   - milliseconds: How long at most; below 0 without an end.
  /// - Returns: Which can be read; `nil` when waiting fails, also when a signal interrupts it.
  package static func awaitReadable(
    _ descriptors: [Int32], atMost milliseconds: Int32 = -1
  ) -> [Bool]? {
    var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&watched, nfds_t(watched.count), milliseconds) >= 0 else { return nil }
    return watched.map { $0.revents != 0 }
  }

  /// Whether reading would not wait now.
  package static func isReadable(_ descriptor: Int32) -> Bool {
    awaitReadable([descriptor], atMost: 0)?.first == true
  }

  /// Waits until it takes bytes again.
  ///
  /// - Parameters:
  ///   - descriptor: What is watched.
  ///   - milliseconds: How long at most; below 0 without an end.
  package static func awaitWritable(_ descriptor: Int32, atMost milliseconds: Int32 = -1) {
    var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    poll(&state, 1, milliseconds)
  }

  /// Whether somebody could still read what is written to it.
  package static func hasReader(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) <= 0 || state.revents & Int16(POLLERR) == 0
  }

  /// Another descriptor of the same open file; `nil` when none is left.
  package static func copy(_ descriptor: Int32) -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
    return copy >= 0 ? copy : nil
  }

  /// The same with a number that is not below another.
  package static func copy(_ descriptor: Int32, notBelow least: Int32) -> Int32? {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, least)
    return copy >= 0 ? copy : nil
  }

  /// Lets the system forget what it keeps of a file in memory, where that is on the disk.
  package static func dropCache(_ descriptor: Int32, from start: Int, count: Int) {
    _ = posix_fadvise(descriptor, start, count, Int32(POSIX_FADV_DONTNEED))
  }

  /// The place that the next read begins at; below 0 where there is none, as in a pipe.
  package static func place(_ descriptor: Int32) -> Int { Int(lseek(descriptor, 0, SEEK_CUR)) }

  /// Whether it is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Closes it.
  @discardableResult
  package static func close(_ descriptor: Int32) -> Bool { Glibc.close(descriptor) == 0 }

  /// Locks the whole file for this open file alone, if nobody else has it.
  @discardableResult
  package static func lock(_ descriptor: Int32) -> Bool {
    flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// Makes a call again as long as a signal interrupts it.
  static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
