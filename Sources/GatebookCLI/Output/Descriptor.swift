internal import Gatebook
internal import Glibc

/// An open file descriptor that belongs to the process, such as standard output.
struct Descriptor: ByteSink {
  private let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
    var start = 0
    while start < bytes.count {
      let written = bytes[start...].withUnsafeBytes {
        Glibc.write(number, $0.baseAddress, $0.count)
      }
      if written >= 0 {
        start += written
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: waitUntilWritable()
      case EPIPE: return false
      case ENOSPC, EDQUOT:
        throw GatebookError(
          .storageFull, "The output could not be written: the disk is full.",
          kept: "What was recorded in the book is kept.",
          remedy: "Free space, then run the command again.")
      default:
        throw GatebookError(
          .configurationInvalid, "The output could not be written.",
          kept: "What was recorded in the book is kept.",
          remedy: "Check where standard output goes, then run the command again.",
          cause: String(cString: strerror(errno)))
      }
    }
    return true
  }

  var descriptor: Int32? { number }

  /// A pipe whose other end was closed says so.
  var hasReader: Bool {
    var descriptor = pollfd(fd: number, events: 0, revents: 0)
    return poll(&descriptor, 1, 0) <= 0 || descriptor.revents & Int16(POLLERR) == 0
  }

  /// Somebody else may have made the descriptor non-blocking; it is shared with him.
  private func waitUntilWritable() {
    var descriptor = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    poll(&descriptor, 1, -1)
  }
}

/// Where bytes go: standard output, standard error, an output file, or memory in tests.
protocol ByteSink: Sendable {
  /// Writes all the bytes.
  ///
  /// - Parameter bytes: What to write.
  /// - Returns: Whether somebody is still reading.
  /// - Throws: `storage.full` or `configuration.invalid` when the bytes could not be written.
  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool

  /// Whether somebody is still reading, as far as that can be known without writing.
  var hasReader: Bool { get }

  /// What the system calls the open file; `nil` for memory.
  var descriptor: Int32? { get }
}

extension ByteSink {
  /// Memory is read for ever.
  var hasReader: Bool { true }

  /// The system knows nothing of it.
  var descriptor: Int32? { nil }
}
