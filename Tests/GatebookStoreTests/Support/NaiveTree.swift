import GatebookCrypto

/// The Merkle tree hash exactly as RFC 6962 section 2.1 defines it, recursively and without memory.
struct NaiveTree {
  let leaves: [Digest]
  private let hash = SHA256()

  init(_ leaves: [Digest]) {
    self.leaves = leaves
  }

  /// Leaves that stand for nothing but their number.
  init(count: Int) {
    let hash = SHA256()
    leaves = (0..<count).map { hash.leaf(Array("\($0)".utf8)) }
  }

  func root(of range: Range<Int>) -> [UInt8] {
    switch range.count {
    case 0: return hash.hash([])
    case 1: return leaves[range.lowerBound].bytes
    default:
      // "let k be the largest power of two smaller than n"
      var half = 1
      while half * 2 < range.count { half *= 2 }
      let middle = range.lowerBound + half
      return hash.hash(
        [1] + root(of: range.lowerBound..<middle) + root(of: middle..<range.upperBound))
    }
  }

  func root(of size: Int) -> [UInt8] { root(of: 0..<size) }
}
