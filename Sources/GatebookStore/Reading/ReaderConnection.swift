internal import CSQLite
internal import GatebookEvents

/// Opens read-only connections, also where neither the file nor its folder can be written.
enum ReaderConnection {
  static func open(_ file: BookFile) throws(GatebookError) -> Connection {
    do throws(GatebookError) {
      return try open(file, immutable: false)
    } catch  where [.storageUnreadable, .storageReadOnly, .storageFull].contains(error.code) {
      // SQLite wants to make the WAL's index beside the book. Where it cannot, for want of the
      // right or of room, nobody who could write is at work either, and without a WAL the file
      // alone is the whole book.
      guard file.hasNoWAL else { throw file.isInWritableFolder ? error : Self.unindexed(error) }
      return try open(file, immutable: true)
    }
  }

  /// The last commits are in the WAL, and its index has no space.
  private static func unindexed(_ error: GatebookError) -> GatebookError {
    GatebookError(
      .storageUnreadable,
      "The latest events are in the book's `-wal` file, which can be read only if its folder is writable.",
      kept: "Nothing was changed; no account was logged out.",
      remedy:
        "Copy the book and its `-wal` file into a writable folder, and open the copy.",
      cause: error.cause)
  }

  private static func open(
    _ file: BookFile, immutable: Bool
  ) throws(GatebookError) -> Connection {
    let option = immutable ? "immutable=1" : "mode=ro"
    let connection = try Connection.open(
      "file:\(escape(file.path))?\(option)",
      flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX)
    guard gatebook_keep_wal_on_close(connection.handle) == SQLITE_OK else {
      throw .storageDamaged("SQLite refused a setting.")
    }
    // A writer's recovery of the WAL may hold its lock for a moment.
    sqlite3_busy_timeout(connection.handle, 2000)
    try connection.execute("PRAGMA mmap_size=0")
    try connection.execute("PRAGMA trusted_schema=OFF")
    _ = try connection.integer("SELECT count(*) FROM sqlite_schema")
    return connection
  }

  /// A path as a URI has it (https://sqlite.org/uri.html): what has a meaning there is encoded.
  static func escape(_ path: String) -> String {
    // A name after two slashes would be a machine.
    var escaped = path.hasPrefix("//") ? "//" : ""
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#"), 0...0x20, 0x7F...:
        escaped += "%\(Hex.encode([byte]))"
      default: escaped.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return escaped
  }
}
