internal import GatebookCrypto
internal import GatebookEvents

/// Makes the leaves of events anew from their rows.
struct EventLeaves {
  private var names: CanonicalNames
  private var canonical = CanonicalEvent()
  private let hash = SHA256()

  /// Makes one that knows the names that the book has now.
  init(_ connection: Connection) {
    names = CanonicalNames(connection)
  }

  /// The leaf of a row that begins as ``CanonicalNames/columns`` say; `nil` when it names what is not
  /// there.
  mutating func leaf(of row: Statement) throws(GatebookError) -> Digest? {
    try names.write(row, into: &canonical) ? hash.leaf(canonical.bytes) : nil
  }
}
