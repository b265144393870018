/// A write-ahead log, read by the file format alone
/// (https://sqlite.org/fileformat2.html#walformat).
enum WALFile {
  /// How many commits the log contains since it was last restarted.
  static func commits(of book: String) throws -> Int {
    let bytes = try FileBytes.read(book + "-wal")
    guard bytes.count >= 32 else { return 0 }
    let page = Int(number(bytes, 8))
    let salt = Array(bytes[16..<24])
    var commits = 0
    for start in stride(from: 32, to: bytes.count - page, by: 24 + page) {
      guard Array(bytes[start + 8..<start + 16]) == salt else { break }
      if number(bytes, start + 4) != 0 { commits += 1 }
    }
    return commits
  }

  private static func number(_ bytes: [UInt8], _ start: Int) -> UInt32 {
    bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}
