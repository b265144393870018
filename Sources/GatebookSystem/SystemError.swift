internal import Glibc

/// Why the system refused a call: an `errno` with its text.
package struct SystemError: Error, Hashable, Sendable {
  /// The number, as errno(3) lists it.
  package let number: Int32

  /// Takes a number over.
  package init(_ number: Int32) {
    self.number = number
  }

  /// Why this thread's last call failed; only to be read right after it.
  package static var last: SystemError { SystemError(errno) }

  /// The system's text for it.
  package var text: String { String(cString: strerror(number)) }

  /// Whether the disk, or the user's share of it, is full.
  package var isFullDisk: Bool { self == .noSpace || number == EDQUOT }

  /// Whether the process or the machine has no descriptor left.
  package var isOutOfDescriptors: Bool { number == EMFILE || number == ENFILE }

  /// No error: the number 0.
  package static let none = SystemError(0)
  package static let accessDenied = SystemError(EACCES)
  package static let exists = SystemError(EEXIST)
  package static let fileTooLarge = SystemError(EFBIG)
  package static let inputOutput = SystemError(EIO)
  package static let interrupted = SystemError(EINTR)
  package static let invalid = SystemError(EINVAL)
  package static let isFolder = SystemError(EISDIR)
  package static let missing = SystemError(ENOENT)
  package static let noBufferSpace = SystemError(ENOBUFS)
  package static let noDevice = SystemError(ENXIO)
  package static let noReader = SystemError(EPIPE)
  package static let noSpace = SystemError(ENOSPC)
  package static let notFolder = SystemError(ENOTDIR)
  package static let notPermitted = SystemError(EPERM)
  package static let notSupported = SystemError(EOPNOTSUPP)
  package static let overQuota = SystemError(EDQUOT)
  package static let readOnly = SystemError(EROFS)
  package static let wouldBlock = SystemError(EAGAIN)
}
