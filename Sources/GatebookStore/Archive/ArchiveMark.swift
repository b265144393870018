internal import GatebookEvents

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
