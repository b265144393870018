internal import Gatebook
internal import GatebookSystem

/// An open file descriptor that belongs to the process, such as standard output.
struct Descriptor: ByteSink {
  private let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
    var start = 0
    while start < bytes.count {
      let written = FileDescriptor.writeOnce(bytes[start...], to: number)
      if written >= 0 {
        start += written
        continue
      }
      let error = SystemError.last
      switch error {
      case .interrupted: continue
      // Somebody else may have made the descriptor non-blocking; it is shared with him.
      case .wouldBlock: FileDescriptor.awaitWritable(number)
      case .noReader: return false
      case .noSpace, .overQuota:
        throw GatebookError(
          .storageFull, "The output could not be written: the disk is full.",
          kept: "What was recorded in the book is kept.",
          remedy: "Free space, then run the command again.")
      default:
        throw GatebookError(
          .configurationInvalid, "The output could not be written.",
          kept: "What was recorded in the book is kept.",
          remedy: "Check where standard output goes, then run the command again.",
          cause: error.text)
      }
    }
    return true
  }

  var descriptor: Int32? { number }

  /// A pipe whose other end was closed says so.
  var hasReader: Bool {
    FileDescriptor.hasReader(number)
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
