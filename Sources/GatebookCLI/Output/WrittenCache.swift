internal import GatebookSystem

/// Hands long output on to the disk while it is written, and frees the memory that the system kept
/// of it.
///
/// By default Linux keeps gigabytes that nobody reads soon in its page cache, displaces what others
/// read, and writes most of them only when the file is synchronized.
struct WrittenCache {
  /// How much is handed on at once.
  private static let stretch: Int = 8 << 20

  private let descriptor: Int32
  /// Up to where the file was handed on; `nil` before the first bytes, which may be appended to
  /// others.
  private var end: Int?
  private var isDue: Int = 0

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
    isDue += count
    guard end == nil || isDue >= Self.stretch else { return }
    let written = FileDescriptor.place(descriptor)
    guard written >= 0 else { return }
    guard let end else {
      self.end = written - isDue
      return
    }
    isDue = 0
    // Of dirty pages the advice begins the writing; those that it began with the last time can go
    // now.
    let start = max(end - 2 * Self.stretch, 0)
    FileDescriptor.dropCache(descriptor, from: start, count: written - start)
    self.end = written
  }
}
