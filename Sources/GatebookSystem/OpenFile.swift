internal import Glibc

/// An open file or folder; closed with the last reference, and not inherited by programs that are
/// started.
///
/// What fails says so, and leaves the reason in ``SystemError/last``.
package final class OpenFile: Sendable {
  /// What a file is opened for.
  package enum Access: Sendable {
    /// Reading.
    case read
    /// Reading without waiting, as at a pipe that nobody writes to.
    case readAtOnce
    /// As ``readAtOnce``, but never through a symbolic link.
    case readInPlace
    /// Reading and writing what is there.
    case both
    /// Reading a folder's names, or making them durable.
    case folder
    /// Reading and writing a file that does not exist yet.
    case new
    /// Reading and writing; made where it is missing.
    case update
    /// As ``update``, but never through a symbolic link.
    case updateInPlace
    /// Writing; made where it is missing, and emptied.
    case replace

    fileprivate var flags: Int32 {
      switch self {
      case .read: O_RDONLY
      case .readAtOnce: O_RDONLY | O_NONBLOCK
      case .readInPlace: O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      case .both: O_RDWR
      case .folder: O_RDONLY | O_DIRECTORY
      case .new: O_RDWR | O_CREAT | O_EXCL
      case .update: O_RDWR | O_CREAT
      case .updateInPlace: O_RDWR | O_CREAT | O_NOFOLLOW
      case .replace: O_WRONLY | O_CREAT | O_TRUNC
      }
    }
  }

  /// Its number in this process.
  package let descriptor: Int32

  /// Takes an open descriptor over.
  package init(taking descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - access: What for.
  ///   - mode: The permissions that a new file gets.
  /// - Returns: `nil` when the system refuses.
  package static func open(
    _ path: String, _ access: Access, mode: UInt32 = 0o600
  ) -> OpenFile? {
    descriptor(path, access, mode: mode).map { OpenFile(taking: $0) }
  }

  /// Opens a file that somebody must close; otherwise as ``open(_:_:mode:)``.
  package static func descriptor(
    _ path: String, _ access: Access, mode: UInt32 = 0o600
  ) -> Int32? {
    let descriptor = Glibc.open(path, access.flags | O_NOCTTY | O_CLOEXEC, mode)
    return descriptor >= 0 ? descriptor : nil
  }

  /// What the system knows of it.
  package var status: FileStatus? { FileStatus(descriptor) }

  /// Reads once; `nil` when that fails, empty at the end.
  package func read(atMost count: Int) -> [UInt8]? {
    FileDescriptor.read(descriptor, atMost: count)
  }

  /// Reads up to the end, or as far as it can be read.
  package func readToEnd() -> [UInt8] {
    var content: [UInt8] = []
    while let part = read(atMost: 65_536), !part.isEmpty { content += part }
    return content
  }

  /// Reads up to the end; `nil` when that fails, and more than `limit` bytes when it has more.
  package func readToEnd(limit: Int) -> [UInt8]? {
    var content: [UInt8] = []
    while content.count <= limit {
      guard let part = read(atMost: 65_536) else { return nil }
      guard !part.isEmpty else { break }
      content += part
    }
    return content
  }

  /// Reads exactly so many bytes at a place; `nil` when there are less.
  package func read(_ count: Int, at place: Int64) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    return pread(descriptor, &bytes, count, Int(place)) == count ? bytes : nil
  }

  /// Writes all bytes.
  package func write(_ bytes: [UInt8]) -> Bool { FileDescriptor.write(bytes, to: descriptor) }

  /// Writes bytes at a place.
  @discardableResult
  package func write(_ bytes: [UInt8], at place: Int64) -> Bool {
    pwrite(descriptor, bytes, bytes.count, Int(place)) == bytes.count
  }

  /// Makes what was written durable.
  package func sync() -> Bool { fsync(descriptor) == 0 }

  /// Cuts it, or fills it with zeros, to a size in bytes.
  @discardableResult
  package func truncate(to size: Int) -> Bool { ftruncate(descriptor, size) == 0 }

  /// Takes room for so many bytes on the disk.
  package func allocate(_ size: Int) -> Bool { posix_fallocate(descriptor, 0, size) == 0 }

  /// Sets its permissions.
  package func setMode(_ mode: UInt32, isSticky: Bool = false) -> Bool {
    fchmod(descriptor, mode | (isSticky ? S_ISVTX : 0)) == 0
  }
}
