internal import Glibc

/// Reading and writing with a descriptor that somebody else opened.
package enum FileDescriptor {
  package static let standardInput = STDIN_FILENO
  package static let standardOutput = STDOUT_FILENO
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

  /// Whether reading would not wait now.
  package static func isReadable(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&state, 1, 0) > 0
  }

  /// The place that the next read begins at; below 0 where there is none, as in a pipe.
  package static func place(_ descriptor: Int32) -> Int { Int(lseek(descriptor, 0, SEEK_CUR)) }

  /// Whether it is a terminal.
  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Closes it.
  package static func close(_ descriptor: Int32) { _ = Glibc.close(descriptor) }

  /// Makes a call again as long as a signal interrupts it.
  static func uninterrupted(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result >= 0 || errno != EINTR { return result }
    }
  }
}
