internal import GatebookCrypto
internal import GatebookEvents

/// The one row that says which book this is and where its key lives.
struct BookRow {
  let id: BookID
  let key: KeyDescription
  let check: [UInt8]
  let checkpointKey: [UInt8]

  init(_ connection: Connection) throws(GatebookError) {
    let rows = try connection.rows(
      "SELECT id, key_source, key_description, key_check, checkpoint_key FROM book")
    guard let row = try rows.next(), let id = BookID(bytes: row.raw(0)),
      let parameters = Facts(decoding: row.raw(2))
    else { throw .storageDamaged("The book's identity is missing from its file.") }
    self.id = id
    key = KeyDescription(source: row.text(1), parameters: parameters)
    check = row.bytes(3)
    checkpointKey = row.bytes(4)
  }

  /// Fetches the master key of a connection's book.
  ///
  /// Between the reading of this row and the asking of the source the key may have moved: then the
  /// new place is asked.
  static func unlock(
    _ connection: Connection, _ source: any KeySource
  ) throws(GatebookError) -> (row: BookRow, keys: BookKeys) {
    var row = try BookRow(connection)
    while true {
      do throws(GatebookError) {
        return (row, try row.unlock(source))
      } catch {
        let current = try BookRow(connection)
        guard current.key != row.key else { throw error }
        row = current
      }
    }
  }

  /// Brings the master key and makes sure that it is this book's.
  func unlock(_ source: any KeySource) throws(GatebookError) -> BookKeys {
    guard key.source != PulledMark.keySource else { throw PulledMark.noKey }
    let keys = try BookKeys(master: source.open(key, of: id), book: id)
    guard ConstantTime.equal(keys.check, check) else {
      guard key.source != "passphrase" else {
        throw GatebookError(
          .keyWrong, "This is the wrong passphrase.", kept: "The book was not changed.",
          remedy: "Give the book's own passphrase.")
      }
      guard key.source != "secret-service" else {
        throw GatebookError(
          .keyWrong, "The key in the keyring is not this book's key.",
          kept: "The book was not changed.",
          remedy:
            "Restore the keyring, or give a copy of the key with `KeyFile(path:)`.")
      }
      throw GatebookError(
        .keyWrong, "The key is not this book's.",
        kept: "The book was not changed.",
        remedy: "Give the book's own key file with `KeyFile(path:)`, or its passphrase.")
    }
    return keys
  }

  /// Whether the last event about an opening names another installation or key source.
  func wasOpenedElsewhere(
    _ connection: Connection, _ writer: Writer
  ) throws(GatebookError) -> Bool {
    let rows = try connection.rows(
      """
      SELECT w.installation, e.data FROM event e JOIN writer w ON w.number = e.writer
      WHERE e.account = 0
        AND e.kind IN (
          SELECT number FROM kind WHERE name IN (
            'book.created', 'book.opened', 'book.continued', 'book.recovered', 'key.changed'))
      ORDER BY e.revision DESC LIMIT 1
      """)
    guard let row = try rows.next() else { return true }
    let facts = FactScanner(row.raw(1))
    let source = facts.text("keySource") ?? facts.text("to")
    return InstallationID(bytes: row.raw(0)) != writer.program.installation
      || source != key.source
  }
}
