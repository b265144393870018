internal import GatebookCrypto
internal import Testing

/// The tree of eight leaves that implementations of RFC 6962 test each other with.
struct MerkleTests {
  private static let leaves = [
    "", "00", "10", "2021", "3031", "40414243", "5051525354555657",
    "606162636465666768696a6b6c6d6e6f",
  ].map(hex)

  private let hasher = SHA256()

  @Test
  func `an empty leaf is not the hash of nothing`() {
    let digest = hex("6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d")
    #expect(hasher.leaf([]).bytes == digest)
    #expect(hasher.hash([]) != digest)
  }

  @Test
  func `a leaf is hashed after a zero byte and a node after a one`() {
    let left = hasher.leaf([1])
    let right = hasher.leaf([2])
    #expect(left.bytes == hasher.hash([0x00, 1]))
    #expect(hasher.node(left, right).bytes == hasher.hash([0x01] + left.bytes + right.bytes))
    #expect(hasher.node(left, right) != hasher.node(right, left))
    #expect(hasher.node(left, right) != hasher.leaf(left.bytes + right.bytes))
  }

  @Test(arguments: [
    (1, "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"),
    (2, "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"),
    (3, "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"),
    (4, "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7"),
    (5, "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4"),
    (6, "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef"),
    (7, "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"),
    (8, "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"),
  ])
  func `a tree has its known root`(_ size: Int, _ root: String) {
    #expect(self.root(of: Self.leaves.prefix(size)).bytes == hex(root))
  }

  /// RFC 6962 section 2.1: "let k be the largest power of two smaller than n".
  private func root(of leaves: ArraySlice<[UInt8]>) -> Digest {
    if leaves.count == 1, let only = leaves.first { return hasher.leaf(only) }
    var half = 1
    while half * 2 < leaves.count { half *= 2 }
    return hasher.node(root(of: leaves.prefix(half)), root(of: leaves.dropFirst(half)))
  }
}
