internal import CLinux
internal import Glibc

/// A file in memory alone, without a name: it ends with its last descriptor.
extension OpenFile {
  /// Makes an empty one, for this user alone.
  ///
  /// - Parameter name: What `/proc` shows of it.
  /// - Returns: `nil` when the system refuses.
  package static func inMemory(named name: String) -> OpenFile? {
    let descriptor = gatebook_memory_file(name)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(taking: descriptor)
    return file.setMode(0o600) ? file : nil
  }

  /// The same file opened once more, for reading from its beginning.
  package var readable: OpenFile? { OpenFile.open("/proc/self/fd/\(descriptor)", .read) }

  /// Gives it another content of at most a page, 4096 bytes.
  ///
  /// One read from the beginning gets all of the former content, nothing, or all of the new one:
  /// Linux takes the page away as a whole, and shows a new one only when it is filled.
  package func replace(by bytes: [UInt8]) -> Bool {
    truncate(to: 0) && write(bytes, at: 0)
  }
}
