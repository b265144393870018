internal import Glibc

/// Hands long output on to the disk while it is written, and frees the memory that the system kept of it.
///
/// Left alone, Linux keeps gigabytes that nobody reads soon in its page cache, in the place of what others
/// read, and writes most of them only when the file is synchronised.
struct WrittenCache {
  /// How much is handed on at once.
  private static let stretch: off_t = 8 << 20

  private let descriptor: Int32
  /// Up to where the file was handed on; `nil` before the first bytes, which may be appended to others.
  private var end: off_t?
  private var isDue: off_t = 0

  /// Begins where a file is written next.
  ///
  /// - Parameter descriptor: The open file; nothing happens to a pipe, a terminal or a device.
  init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Counts what was written.
  ///
  /// - Parameter count: How many bytes.
  mutating func count(_ count: Int) {
    isDue += off_t(count)
    guard end == nil || isDue >= Self.stretch else { return }
    let written = lseek(descriptor, 0, SEEK_CUR)
    guard written >= 0 else { return }
    guard let end else {
      self.end = written - isDue
      return
    }
    isDue = 0
    // Of dirty pages the advice begins the writing; those that it began with the last time can go now.
    let start = max(end - 2 * Self.stretch, 0)
    _ = posix_fadvise(descriptor, start, written - start, Int32(POSIX_FADV_DONTNEED))
    self.end = written
  }
}
