public import GatebookEvents

/// What makes a file a copy of a book that was pulled from a fleet: no key belongs to it, and it is
/// never written again.
enum PulledMark {
  /// What `book.key_source` says.
  static let keySource = "none"
  /// What `account.key` holds of an account that was not erased: not `NULL`, which means forgotten,
  /// and not empty, which means lost.
  static let accountKey: [UInt8] = [0]

  /// Which member of `book.key_description` names the last event that the fleet forgot.
  private static let forgotten = "forgotten"

  /// What `book.key_description` says.
  ///
  /// - Parameter position: The last event that the fleet forgot; 0 for none.
  /// - Returns: Canonical JSON.
  static func keyDescription(forgotten position: Int64) -> [UInt8] {
    (position > 0 ? [forgotten: .integer(position)] as Facts : [:]).encoded
  }

  /// The last event that the fleet forgot; 0 for none, and for a book that was not pulled.
  static func forgotten(_ row: BookRow) -> Int64 {
    guard row.key.source == keySource else { return 0 }
    return row.key.parameters[forgotten]?.integer ?? 0
  }

  static func isSet(_ connection: Connection) throws(GatebookError) -> Bool {
    guard try connection.has(table: "pulled") else { return false }
    return try connection.integer("SELECT count(*) FROM pulled") > 0
  }

  /// Sets it, for ever.
  static func set(_ connection: Connection, branch: Int64) throws(GatebookError) {
    try connection.run("INSERT INTO pulled VALUES (1, ?1)", branch)
  }

  static let refusal = GatebookError(
    .storageReadOnly,
    "No key belongs to this copy of the book, because it was pulled from a fleet. It can only be read.",
    kept: "The copy was not changed.", remedy: "Use the book itself, on its own machine.")

  static let noKey = GatebookError(
    .keyMissing, "No key belongs to this copy of the book, because it was pulled from a fleet.",
    kept: "The copy was not changed.",
    remedy: "Open the copy without a key. Only the book itself decrypts personal data.")

  static let noRecovery = GatebookError(
    .configurationInvalid, "This is a copy of a book that was pulled from a fleet.",
    kept: "Nothing was changed.", remedy: "Delete the copy, and pull the book again.")
}

extension BookReader {
  /// Whether the file is a copy that was pulled from a fleet: no key belongs to it, and it is only
  /// read.
  public func isPulled() throws(GatebookError) -> Bool {
    try check()
    return try PulledMark.isSet(connection)
  }
}
