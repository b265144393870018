package import GatebookCrypto
internal import GatebookEvents

/// The stored subtrees of the events before a history begins, as they left their book.
///
/// Those of 256 events come first. All of them must make the tree that the book continues from.
package struct ShippedSubtrees {
  /// Whether each one so far is what the smaller ones make.
  package var isRight = true
  private var tree = Frontier()
  /// What those of 256 events make, by level and number.
  private var larger: [[Int64]: Digest] = [:]
  private let hash = SHA256()

  /// Makes one that has seen none.
  package init() {}

  /// Takes the next one.
  ///
  /// - Parameters:
  ///   - root: Its root.
  ///   - level: 8 for 256 events, 16 for 65,536 and so on.
  ///   - number: Counted from 0 in its level.
  package mutating func take(_ root: Digest, _ level: Int64, _ number: Int64) {
    if level != 8 {
      if larger.removeValue(forKey: [level, number]) != root { isRight = false }
    } else if number == tree.size >> 8 {
      tree.append(root, level: 8, hash) { larger[[$0.level, $0.number]] = $0.root }
    } else {
      isRight = false
    }
  }

  /// Whether all of them are there, and make a tree.
  package func make(_ other: ShippedTree) -> Bool {
    isRight && larger.isEmpty && other.continues(tree)
  }
}
