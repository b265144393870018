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

  /// Gives it another text of at most a page, 4096 bytes; line ends follow one that is shorter than
  /// the former.
  ///
  /// One read from the beginning gets all of the former text, nothing, or all of the new one: Linux
  /// takes the page away as a whole, and shows a new one only when it is filled. But it looks at
  /// the page first and at the size then: the size stays, or grows only when such a read has ended.
  package func replace(by text: [UInt8]) -> Bool {
    guard let former = status?.size, truncate(to: 0) else { return false }
    if text.count > former, former > 0 { poll(nil, 0, 20) }
    let lineEnds = [UInt8](repeating: UInt8(ascii: "\n"), count: max(0, former - text.count))
    return write(text + lineEnds, at: 0)
  }
}
