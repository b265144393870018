internal import GatebookCrypto
internal import GatebookEvents

/// Tells events that are what they were from others: the leaf that stands beside one says so.
struct LeafTest {
  /// The columns of a row that can be tested.
  static let columns =
    "position, id, account, revision, session, kind, version, at, cause, writer, process, data, "
    + "sealed, leaf"

  private var names: CanonicalNames
  private var canonical = CanonicalEvent()
  private let hash = SHA256()

  /// Makes one that knows the names that the book has now.
  init(_ connection: Connection) {
    names = CanonicalNames(connection)
  }

  /// Whether a row of ``columns`` is right, and one that a verifier takes.
  mutating func isRight(_ row: Statement) throws(GatebookError) -> Bool {
    guard try names.write(row, into: &canonical),
      EventForm.problem(row, at: row.integer(0)) == nil
    else { return false }
    return hash.leaf(canonical.bytes).bytes == row.bytes(13)
  }
}
