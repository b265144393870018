internal import GatebookSystem

/// Disk space set aside beside the book, so that the answer to a recorded intent fits on a full
/// disk (rule 5): a token that rotated exists nowhere else.
package struct Reserve: Sendable {
  private let path: String
  /// More than a transaction with one session's events, and with what is new among its secrets,
  /// writes to the WAL.
  private static let least: Int = 256 << 10

  init(_ file: BookFile) {
    path = file.path + "-reserve"
  }

  /// Sets the space aside; on a disk that is full already there is none, and nothing is lost by it.
  ///
  /// - Parameter secrets: How many bytes of secrets the answer's transaction replaces. The new ones
  ///   are written to the WAL, and the old ones are wiped there, too (`secure_delete`).
  package func fill(replacing secrets: Int) {
    let size = Self.least + Int(2 * secrets)
    guard let file = OpenFile.open(path, .updateInPlace) else { return }
    if let status = file.status, status.allocated >= size { return }
    if !file.allocate(size) { Files.remove(path) }
  }

  /// Gives the space back.
  ///
  /// - Returns: Whether there was any.
  package func release() -> Bool { Files.remove(path) }
}

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
