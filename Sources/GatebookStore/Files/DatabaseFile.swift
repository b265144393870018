internal import GatebookSystem

/// What tells a database from other files.
package enum DatabaseFile {
  /// Whether a file begins as a database of SQLite or its write-ahead log does
  /// (https://sqlite.org/fileformat2.html, 1.3 and 4.1).
  ///
  /// - Parameter path: Its place.
  /// - Returns: Whether it does; `false` also for what cannot be read.
  package static func stands(at path: String) -> Bool {
    // A pipe or a device is not opened here: that alone can be noticed by who holds its other end.
    guard FileStatus(of: path)?.isRegular == true,
      let start = OpenFile.open(path, .read)?.read(16, at: 0)
    else { return false }
    let magics = [
      Array("SQLite format 3\0".utf8), [0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83],
    ]
    for magic in magics where start.starts(with: magic) { return true }
    return false
  }
}
