internal import GatebookCrypto
internal import GatebookEvents

/// The roots of the full subtrees that a log is made of, largest first: all that is needed to add a
/// leaf or to make the root (RFC 6962 section 2.1).
struct Frontier: Sendable {
  private(set) var size: Int64 = 0
  private var roots: [Digest] = []

  /// A full subtree of a log.
  struct Subtree {
    let level: Int64
    let number: Int64
    let root: Digest
  }

  init() {}

  /// Reads what `bytes` wrote; `nil` when it does not fit the size.
  init?(size: Int64, bytes: [UInt8]) {
    guard size >= 0, bytes.count == size.nonzeroBitCount * 32 else { return nil }
    self.size = size
    for start in stride(from: 0, to: bytes.count, by: 32) {
      guard let digest = Digest(bytes: bytes[start..<start + 32]) else { return nil }
      roots.append(digest)
    }
  }

  /// The roots one after the other, as `head.frontier` holds them.
  var bytes: [UInt8] { roots.flatMap(\.bytes) }

  /// Whether this is what another one has of runs of 256.
  func matches(_ other: Frontier) -> Bool {
    subtrees.map(\.root) == other.runs
  }

  /// The roots of what is made of whole runs of 256.
  var runs: [Digest] { subtrees.filter { $0.level >= 8 }.map(\.root) }

  /// The leaves after the last full run of 256.
  var tail: [Subtree] { subtrees.filter { $0.level < 8 } }

  /// Adds what another one has after its last full run.
  mutating func append(tailOf other: Frontier, _ hash: SHA256) {
    for node in other.tail { append(node.root, level: node.level, hash) }
  }

  /// The full subtrees, largest first.
  var subtrees: [Subtree] {
    var (subtrees, done): ([Subtree], Int64) = ([], 0)
    for root in roots {
      let level = Int64(63 - (size - done).leadingZeroBitCount)
      subtrees.append(Subtree(level: level, number: done >> level, root: root))
      done += 1 << level
    }
    return subtrees
  }

  /// Adds the next leaf.
  ///
  /// - Parameters:
  ///   - leaf: The leaf.
  ///   - hash: Makes the nodes.
  ///   - completed: Told of each completed subtree whose level is a multiple of 8.
  mutating func append(_ leaf: Digest, _ hash: SHA256, completed: (Subtree) -> Void = { _ in }) {
    append(leaf, level: 0, hash, completed: completed)
  }

  /// Adds the next full subtree; the log so far must be made of subtrees at least as large.
  mutating func append(
    _ root: Digest, level: Int64, _ hash: SHA256, completed: (Subtree) -> Void = { _ in }
  ) {
    var root = root
    var height = level
    var rest = size >> level
    while rest & 1 == 1, let left = roots.popLast() {
      root = hash.node(left, root)
      height += 1
      rest >>= 1
      if height % 8 == 0 {
        completed(Subtree(level: height, number: size >> height, root: root))
      }
    }
    roots.append(root)
    size += 1 << level
  }

  /// Adds the log that follows; this one must be made of subtrees at least as large.
  ///
  /// - Parameters:
  ///   - next: The tree over what follows.
  ///   - hash: Makes the nodes.
  ///   - completed: Told of each completed subtree whose level is a multiple of 8 and which is not
  ///     within `next`.
  mutating func append(_ next: Frontier, _ hash: SHA256, completed: (Subtree) -> Void = { _ in }) {
    var rest = next.size
    for root in next.roots {
      let level = Int64(63 - rest.leadingZeroBitCount)
      append(root, level: level, hash, completed: completed)
      rest -= 1 << level
    }
  }

  /// The root over all leaves; the hash of nothing where there is none.
  func root(_ hash: SHA256) -> Digest {
    guard var root = roots.last else { return hash.ofNothing }
    for left in roots.dropLast().reversed() { root = hash.node(left, root) }
    return root
  }
}

extension Frontier {
  /// Makes the tree over leaves.
  init(_ leaves: some Sequence<Digest>, _ hash: SHA256) {
    for leaf in leaves { append(leaf, hash) }
  }

  /// Adds the leaves of events as they are stored.
  mutating func append(
    eventsIn connection: Connection, after start: Int64, upTo end: Int64, _ hash: SHA256
  ) throws(GatebookError) {
    let rows = try connection.rows(
      "SELECT leaf FROM event WHERE position > ?1 AND position <= ?2 ORDER BY position", start, end)
    while let row = try rows.next() {
      guard let leaf = Digest(bytes: row.raw(0)) else {
        throw .storageDamaged("A leaf of the tree cannot be read.")
      }
      append(leaf, hash)
    }
  }
}
