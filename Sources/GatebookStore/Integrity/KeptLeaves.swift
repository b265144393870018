internal import GatebookCrypto
internal import GatebookEvents

/// The tree over the leaves of the events that a recovery has kept, in their order.
///
/// `book.recovered` names its root (`kept`): where events beside them are lost, or in an archive, no other
/// tree covers what is left.
struct KeptLeaves {
  private var tree = Frontier()
  private let hash = SHA256()

  init() {}

  /// The leaves as they are stored.
  init(_ connection: Connection, upTo floor: Int64) throws(GatebookError) {
    let rows = try connection.rows(
      "SELECT leaf FROM event WHERE position <= ?1 ORDER BY position", floor)
    while let row = try rows.next() {
      guard let leaf = Digest(bytes: row.raw(0)) else {
        throw .storageDamaged("A leaf of the tree cannot be read.")
      }
      add(leaf)
    }
  }

  /// Adds the next one.
  mutating func add(_ leaf: Digest) { tree.append(leaf, hash) { _ in } }

  /// The root over all of them.
  var root: Digest {
    get throws(GatebookError) {
      guard let root = tree.root(hash) else { throw .storageDamaged("The tree has no root.") }
      return root
    }
  }
}
