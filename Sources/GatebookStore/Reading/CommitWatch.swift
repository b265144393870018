package import GatebookEvents

/// Notices that something was committed to a book, by any process.
///
/// SQLite tells a connection so for 2 µs. No process can wake another one's reader, so a follower
/// of a book looks again after each ``interval``.
package struct CommitWatch: Sendable {
  /// How long to pause between two looks.
  package static let interval = Duration.milliseconds(50)

  private var version: Int64?

  /// Starts before the first look.
  package init() {}

  /// Looks at a book.
  ///
  /// - Parameter reader: The same reader each time.
  /// - Returns: Whether somebody has committed since the last look; the first look always says so.
  /// - Throws: `storage` failures; the next look then says so again.
  package mutating func look(_ reader: BookReader) throws(GatebookError) -> Bool {
    let now = try reader.dataVersion()
    defer { version = now }
    return now != version
  }
}
