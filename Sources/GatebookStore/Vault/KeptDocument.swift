package import GatebookEvents

/// What a server publishes for everybody, as the book has it.
package struct KeptDocument: Sendable {
  /// When it was last asked for because what was known did not do; `nil` for never.
  package let demanded: Timestamp?
  /// Until when the answer serves without asking.
  package let fresh: Timestamp
  /// When it was demanded in vain; `nil` where the last demand brought an answer, or is on its way.
  package let vain: Timestamp?
  /// The newest answer; `nil` where there is none that opens.
  package let content: [UInt8]?
  /// The same as it lies in the book: whether it is still what was read.
  package let sealed: [UInt8]?
}

/// A keyed hash that finds a document which a server publishes: it tells nobody else which.
package struct DocumentName: Hashable, Sendable {
  /// 32 bytes.
  let bytes: [UInt8]
}

extension LogAppender {
  /// Whether a document was demanded less than a spacing ago; a clock that was set back forgets it.
  func isDemanded(
    _ name: DocumentName, at now: Timestamp, _ spacing: Duration
  ) throws(GatebookError) -> Bool {
    let rows = try connection.rows("SELECT demanded FROM document WHERE name = ?1", name.bytes)
    guard let row = try rows.next(), let last = row.optionalInteger(0) else { return false }
    let demanded = Timestamp(rawValue: last)
    return demanded <= now && now < demanded + spacing
  }

  /// What is kept of a document as it lies in the book; `nil` for nothing.
  func sealedDocument(_ name: DocumentName) throws(GatebookError) -> [UInt8]? {
    let rows = try connection.rows("SELECT sealed FROM document WHERE name = ?1", name.bytes)
    guard let row = try rows.next(), !row.isNull(0) else { return nil }
    return row.bytes(0)
  }

  func demand(_ name: DocumentName, at moment: Timestamp) throws(GatebookError) {
    try connection.run(
      """
      INSERT INTO document VALUES (?1, ?2, 0, NULL) ON CONFLICT DO UPDATE SET demanded = ?2
      """, name.bytes, moment)
  }

  /// Takes a demand back, unless another one was made since.
  func withdrawDemand(_ name: DocumentName, madeAt moment: Timestamp) throws(GatebookError) {
    try change(
      "UPDATE document SET demanded = NULL WHERE name = ?1 AND demanded = ?2", name, moment)
  }

  /// Has a demand count as made in vain: `fresh` is its time below zero then, so what is kept of
  /// the document is not fresh any more.
  func failDemand(_ name: DocumentName, madeAt moment: Timestamp) throws(GatebookError) {
    try change(
      "UPDATE document SET fresh = -?2 WHERE name = ?1 AND demanded = ?2", name, moment)
  }

  private func change(
    _ sql: String, _ name: DocumentName, _ moment: Timestamp
  ) throws(GatebookError) {
    try connection.run(sql, name.bytes, moment)
  }

  func keep(
    _ name: DocumentName, until fresh: Timestamp, _ content: [UInt8]
  ) throws(GatebookError) {
    try connection.run(
      """
      INSERT INTO document VALUES (?1, NULL, ?2, ?3)
      ON CONFLICT DO UPDATE SET fresh = ?2, sealed = ?3
      """, name.bytes, fresh, sealer.sealDocument(content, named: name))
  }

  func outdateDocuments() throws(GatebookError) {
    try connection.statement("UPDATE document SET fresh = 0 WHERE fresh > 0").run()
  }

  func dropDocuments() throws(GatebookError) {
    try connection.statement("DELETE FROM document").run()
  }
}
