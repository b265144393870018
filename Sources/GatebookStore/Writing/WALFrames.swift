internal import CSQLite

/// How many frames the WAL held after the last commit of a connection.
final class WALFrames {
  var count: Int32 = 0

  /// Takes SQLite's hook, which replaces its automatic WAL checkpoints.
  ///
  /// This object must exist as long as the connection commits.
  func watch(_ connection: Connection) {
    sqlite3_wal_hook(
      connection.handle,
      { context, _, _, frames in
        guard let context else { return SQLITE_OK }
        Unmanaged<WALFrames>.fromOpaque(context).takeUnretainedValue().count = frames
        return SQLITE_OK
      }, Unmanaged.passUnretained(self).toOpaque())
  }
}
