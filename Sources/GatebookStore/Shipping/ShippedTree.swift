package import GatebookCrypto
package import GatebookEvents

/// The tree over the beginning of a log, which grows by the leaves of the events that leave the
/// book.
package struct ShippedTree {
  private var frontier: Frontier
  private let hash = SHA256()

  /// The tree over the first events of a book; `nil` where it cannot be known, because some of them
  /// are archived or lost.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - size: How many events.
  /// - Throws: `storage` failures.
  package init?(_ reader: BookReader, ofFirst size: Int64) throws(GatebookError) {
    let connection = try reader.usableConnection
    let tree = try PartialTree(connection).frontier(
      of: size, after: try Baseline.read(connection))
    guard let tree else { return nil }
    frontier = tree
  }

  /// The tree that the record of where a book begins holds; `nil` where size and roots do not fit.
  ///
  /// - Parameters:
  ///   - size: How many leaves it has.
  ///   - bytes: The roots of its full subtrees, as `opening.frontier` has them.
  package init?(ofFirst size: Int64, frontier bytes: [UInt8]) {
    guard let tree = Frontier(size: size, bytes: bytes) else { return nil }
    frontier = tree
  }

  /// Whether its full runs of 256 leaves make a tree.
  func continues(_ runs: Frontier) -> Bool {
    runs.size == size & ~0xFF && runs.matches(frontier)
  }

  /// A tree without leaves.
  package init() {
    frontier = Frontier()
  }

  /// How many leaves it has.
  package var size: Int64 { frontier.size }

  /// Adds the next leaf.
  package mutating func append(_ leaf: Digest) { frontier.append(leaf, hash) }

  /// The root over all leaves, 32 bytes.
  package var root: [UInt8] { rootDigest.bytes }

  /// The root over all leaves.
  package var rootDigest: Digest { frontier.root(hash) }
}
