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
    try connection.first("SELECT demanded FROM document WHERE name = ?1", name) { row in
      let demanded = row.optionalInteger(0).map(Timestamp.init(rawValue:))
      return demanded.map { $0 <= now && now < $0 + spacing }
    } ?? false
  }

  /// What is kept of a document as it lies in the book; `nil` for nothing.
  func sealedDocument(_ name: DocumentName) throws(GatebookError) -> [UInt8]? {
    try connection.first("SELECT sealed FROM document WHERE name = ?1", name) {
      $0.isNull(0) ? nil : $0.bytes(0)
    }
  }
}
