internal import CSQLite
internal import GatebookEvents

/// Says which commits a connection would see: once somebody has committed, it is another one.
///
/// Take it before you read: what is read then is at least as new, and stays current for as long as
/// the mark is the same.
package enum CommitMark: Equatable, Sendable {
  /// The header of the WAL's index, by which SQLite itself notices commits.
  case header(SIMD16<UInt64>)
  /// SQLite's own number, where no other process can write or the header is out of reach.
  case version(Int64)
}

/// Takes marks of one connection.
///
/// To read the header takes 20 ns and no call of the kernel; to ask SQLite (`PRAGMA data_version`)
/// takes 2 µs, because it locks the file for that.
struct CommitMarks {
  private enum Source {
    case header(UnsafeRawPointer)
    case version
  }

  private var source: Source?
  private var useless: Int64 = 0

  /// The mark as it is now.
  ///
  /// - Parameter connection: Always the same one, open as long as this is used.
  /// - Returns: The mark.
  /// - Throws: `storage` failures.
  mutating func take(_ connection: Connection) throws(GatebookError) -> CommitMark {
    // The header may be newer than the snapshot that is read: such a mark equals no other one.
    guard !connection.isInTransaction else {
      useless -= 1
      return .version(useless)
    }
    switch try source(connection) {
    case .version: return .version(try connection.integer("PRAGMA data_version"))
    case .header(let place):
      var words = SIMD16<UInt64>()
      for word in 0..<Self.words { words[word] = gatebook_load(place, Int32(word)) }
      return .header(words)
    }
  }

  /// The header has 48 bytes, twice: a writer that dies between the two has committed.
  private static let words = 12

  private mutating func source(_ connection: Connection) throws(GatebookError) -> Source {
    if let source { return source }
    let found: Source =
      if try connection.text("PRAGMA journal_mode") == "wal",
        let header = gatebook_wal_header(connection.handle)
      {
        .header(UnsafeRawPointer(header))
      } else { .version }
    source = found
    return found
  }
}
