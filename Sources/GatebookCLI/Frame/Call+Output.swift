internal import Gatebook
internal import Glibc

extension Call {
  /// Refuses to write results over the book or its key.
  ///
  /// - Parameters:
  ///   - path: Where results are to be written.
  ///   - reader: The book.
  ///   - isCopy: Whether a copy of the book is written, which may take an older one's place.
  /// - Throws: `UsageError` for a file of the book's own, or another book.
  func checkOutput(
    _ path: String, _ reader: BookReader, isCopy: Bool = false
  ) throws(UsageError) {
    let named = reader.keyDescription.parameters["path"]?.text
    let given: String? = if case .file(let path) = globals.key { path } else { nil }
    let usual = surroundings.keyFolder.map { "\($0)/\(reader.id).key" }
    let book = BookPath.following(globals.book)
    let own =
      ["", "-wal", "-shm", "-lock", "-reserve"].map { book + $0 }
      + [named, given, usual].compactMap(\.self)
    guard !reader.claims(path), own.allSatisfy({ !Self.isSame($0, path) }) else {
      throw UsageError(
        "That file is the book's own, or its key: writing over it would lose every session.",
        remedy: "Choose another file.")
    }
    guard isCopy || !Self.isDatabase(path) else {
      throw UsageError(
        "That file is a database, such as another book: nothing is written over it.",
        remedy: "Choose another file.")
    }
  }

  /// Whether a file begins as a database of SQLite or its write-ahead log does
  /// (https://sqlite.org/fileformat2.html, 1.3 and 4.1).
  private static func isDatabase(_ path: String) -> Bool {
    var status = stat()
    // A pipe or a device is not opened here: that alone can be noticed by who holds its other end.
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var start = [UInt8](repeating: 0, count: 16)
    guard pread(file, &start, start.count, 0) == start.count else { return false }
    let magics = [
      Array("SQLite format 3\0".utf8), [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83],
    ]
    for magic in magics where start.starts(with: magic) { return true }
    return false
  }

  private static func isSame(_ left: String, _ right: String) -> Bool {
    var (first, second) = (stat(), stat())
    return stat(left, &first) == 0 && stat(right, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }
}
