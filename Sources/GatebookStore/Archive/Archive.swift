public import GatebookEvents

/// An archive: the book as it was, which never changes again.
///
/// If the book already continued an archive, the new one holds what happened since then.
public struct Archive: Hashable, Sendable {
  /// Its file.
  public let path: String
  /// The position of its first event; earlier events are in earlier archives.
  public let first: Position
  /// Its last event; the book continues after it.
  public let end: Position
  /// The root of its events, 64 hexadecimal digits.
  public let root: String
  /// The root of the state that the book continues from, 64 hexadecimal digits.
  public let state: String
  /// The position of the book's event about it.
  public let position: Position
}

/// What makes a file an archive: it is never written again, even if the file system allows it.
enum ArchiveMark {
  static func isSet(_ connection: Connection) throws(GatebookError) -> Bool {
    guard try connection.has(table: "archive") else { return false }
    return try connection.integer("SELECT count(*) FROM archive") > 0
  }

  /// Sets it, for ever.
  static func set(
    _ connection: Connection, size: Int64, root: [UInt8]
  ) throws(GatebookError) {
    try connection.run("INSERT INTO archive VALUES (1, ?1, ?2)", size, root)
  }

  static let refusal = GatebookError(
    .storageReadOnly, "This is an archive, which can only be read.",
    kept: "The archive was not changed.",
    remedy: "Use the book that continues the archive.")
}
