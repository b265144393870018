internal import CPostgreSQL
internal import Gatebook

extension PostgresConnection {
  /// Begins `COPY ... FROM STDIN`.
  func beginCopy(_ sql: String) throws(PostgresFailure) {
    try send(sql, [])
    _ = try answer()
  }

  /// As many bytes of a copy libpq holds at most.
  private static let pieceBytes = 64 << 10

  /// Sends a part of the copy.
  func putCopy(_ bytes: [UInt8]) throws(PostgresFailure) {
    var sent = 0
    while sent < bytes.count {
      let count = min(bytes.count - sent, Self.pieceBytes)
      let taken = bytes.withUnsafeBytes { raw in
        functions.PQputCopyData(
          handle, raw.baseAddress?.advanced(by: sent).assumingMemoryBound(to: CChar.self),
          Int32(count))
      }
      guard taken >= 0 else { throw broken }
      if taken == 1 { sent += count }
      // Sent at once: libpq would keep all of it in memory.
      try flush()
    }
  }

  /// Ends the copy.
  ///
  /// - Throws: What the server says to the rows.
  func endCopy() throws(PostgresFailure) {
    while true {
      let taken = functions.PQputCopyEnd(handle, nil)
      guard taken >= 0 else { throw broken }
      try flush()
      if taken == 1 { break }
    }
    _ = try answer()
  }

  /// Reads all of `COPY ... TO STDOUT`.
  ///
  /// - Parameters:
  ///   - sql: The statement.
  ///   - body: Takes each piece, which is one row in the binary form; the first one begins with the
  ///     header, and the last one is the trailer.
  /// - Throws: The failure; some pieces may have been taken before.
  func copyOut(
    _ sql: String, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(PostgresFailure) {
    try send(sql, [])
    _ = try answer()
    while true {
      var piece: UnsafeMutablePointer<CChar>?
      var count = functions.PQgetCopyData(handle, &piece, 1)
      if count == 0 {
        try wait {
          count = functions.PQgetCopyData(handle, &piece, 1)
          return count != 0
        }
      }
      guard count > 0, let piece else {
        guard count == -1 else { throw broken }
        _ = try answer()
        return
      }
      body(UnsafeRawBufferPointer(start: piece, count: Int(count)))
      functions.PQfreemem(piece)
    }
  }
}
