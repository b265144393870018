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
