internal import GatebookSystem

/// How much room is left on the disk of a file or a folder.
package struct DiskSpace {
  /// How many bytes the owner of the process may still write.
  package let free: UInt64

  /// Asks the file system; `nil` where it does not answer.
  package init?(at path: String) {
    guard let free = Files.freeSpace(at: path) else { return nil }
    self.free = free
  }

  /// Whether nothing can be recorded: a renewal's answer needs a quarter of a MiB, a rebuild or a
  /// long WAL more.
  package var isFull: Bool { free < 1 << 20 }

  /// Whether it will soon be full.
  package var isLow: Bool { free < 64 << 20 }
}

extension BookReader {
  /// Whether the disk of the book is full, so that nothing can be recorded.
  package var isDiskFull: Bool { DiskSpace(at: path)?.isFull == true }
}
