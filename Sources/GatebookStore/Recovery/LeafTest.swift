internal import GatebookCrypto
internal import GatebookEvents

/// Tells events that are what they were from others: the leaf that stands beside one says so.
struct LeafTest {
  /// The columns of a row that can be tested.
  static let columns = CanonicalNames.columns + ", leaf"

  private var leaves: EventLeaves

  /// Makes one that knows the names that the book has now.
  init(_ connection: Connection) {
    leaves = EventLeaves(connection)
  }

  /// Whether a row of ``columns`` is right, and one that a verifier takes.
  mutating func isRight(_ row: Statement) throws(GatebookError) -> Bool {
    guard row.integer(3) > 0, EventForm.problem(row, at: row.integer(0)) == nil else {
      return false
    }
    return try leaves.leaf(of: row)?.bytes == row.bytes(13)
  }
}
