import GatebookCrypto
import Testing

@testable import GatebookStore

@Suite struct FrontierTests {
  private let hash = SHA256()

  private func frontier(over leaves: ArraySlice<Digest>) -> Frontier {
    var frontier = Frontier()
    for leaf in leaves { frontier.append(leaf, hash) { _ in } }
    return frontier
  }

  @Test func `its root is that of RFC 6962 at every size`() {
    let tree = NaiveTree(count: 300)
    var frontier = Frontier()
    for size in 0...300 {
      #expect(frontier.root(hash).bytes == tree.root(of: size), "\(size)")
      #expect(frontier.size == Int64(size))
      if size < 300 { frontier.append(tree.leaves[size], hash) { _ in } }
    }
  }

  @Test func `the root of nothing is the hash of nothing`() {
    #expect(
      Frontier().root(hash).bytes == SHA256().hash([]))
  }

  @Test func `it comes back from its bytes at every size`() throws {
    let tree = NaiveTree(count: 130)
    for size in 0...130 {
      let bytes = frontier(over: tree.leaves[..<size]).bytes
      #expect(bytes.count == size.nonzeroBitCount * 32)
      let read = try #require(Frontier(size: Int64(size), bytes: bytes))
      #expect(read.root(hash).bytes == tree.root(of: size))
      #expect(Frontier(size: Int64(size), bytes: bytes + [0]) == nil)
      #expect(Frontier(size: Int64(size) * 2 + 1, bytes: bytes) == nil)
    }
    #expect(Frontier(size: -1, bytes: []) == nil)
    #expect(Frontier(size: .min, bytes: [UInt8](repeating: 0, count: 32)) == nil)
  }

  @Test func `it tells of each subtree of 256 events and of 65,536`() {
    let tree = NaiveTree(count: 1100)
    var found: [(level: Int64, number: Int64, root: [UInt8])] = []
    var frontier = Frontier()
    for leaf in tree.leaves {
      frontier.append(leaf, hash) { found.append(($0.level, $0.number, $0.root.bytes)) }
    }
    #expect(found.map(\.level) == [8, 8, 8, 8])
    #expect(found.map(\.number) == [0, 1, 2, 3])
    for (index, subtree) in found.enumerated() {
      #expect(subtree.root == tree.root(of: index * 256..<index * 256 + 256))
    }
    var large: [(Int64, Int64)] = []
    for number in 0..<520 {
      frontier.append(tree.leaves[0], level: 8, hash) { large.append(($0.level, $0.number)) }
      if number == 0 { frontier = Frontier() }
    }
    #expect(large.map(\.0) == [16, 16])
    #expect(large.map(\.1) == [0, 1])
  }

  @Test(arguments: [0, 1, 2, 3, 64, 255, 256, 257, 300])
  func `two runs make the tree over both`(second: Int) {
    let tree = NaiveTree(count: 1024 + second)
    for first in [0, 512, 1024] {
      var frontier = frontier(over: tree.leaves[..<first])
      frontier.append(self.frontier(over: tree.leaves[first..<first + second]), hash)
      #expect(frontier.size == Int64(first + second))
      #expect(frontier.root(hash).bytes == tree.root(of: first + second), "\(first)")
    }
  }
}
