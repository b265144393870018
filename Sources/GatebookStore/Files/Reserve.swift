internal import Glibc

/// Disk space set aside beside the book, so that the answer to a recorded intent fits on a full disk
/// (rule 5): a token that rotated exists nowhere else.
package struct Reserve: Sendable {
  private let path: String
  /// More than any transaction with one session's secrets and events writes to the WAL.
  private static let size: off_t = 256 << 10

  init(_ file: BookFile) {
    path = file.path + "-reserve"
  }

  /// Sets the space aside; on a disk that is full already there is none, and nothing is lost by it.
  package func fill() {
    let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, Int64(status.st_blocks) * 512 >= Int64(Self.size) { return }
    if posix_fallocate(descriptor, 0, Self.size) != 0 { unlink(path) }
  }

  /// Gives the space back.
  ///
  /// - Returns: Whether there was any.
  package func release() -> Bool { unlink(path) == 0 }
}
