internal import GatebookCrypto
internal import GatebookEvents

/// Computes the leaves of events again from their rows.
struct EventLeaves {
  /// The columns of a row whose leaf can be compared.
  static let columns = CanonicalNames.columns + ", leaf"

  private var names: CanonicalNames
  private var canonical = CanonicalEvent()
  private let hash = SHA256()

  /// Makes one that knows the names that the book has now.
  init(_ connection: Connection) {
    names = CanonicalNames(connection)
  }

  /// The leaf of a row that begins as ``CanonicalNames/columns`` say; `nil` when it names what is
  /// not there.
  mutating func leaf(of row: Statement) throws(GatebookError) -> Digest? {
    try names.write(row, into: &canonical) ? hash.leaf(canonical.bytes) : nil
  }

  /// Whether a row of ``columns`` is unchanged, by its stored leaf, and one that a verifier
  /// accepts.
  mutating func isRight(_ row: Statement) throws(GatebookError) -> Bool {
    guard row.integer(3) > 0, EventForm.problem(row, at: row.integer(0)) == nil else {
      return false
    }
    return try leaf(of: row)?.bytes == row.bytes(13)
  }
}
