internal import GatebookCrypto
internal import GatebookEvents

/// The tree over the events up to the end of a book that was damaged.
///
/// A lost event leaves a gap in it. If the root over its 256 events, or over the end of the tree,
/// is still known, the tree continues as it was, and earlier checkpoints stay valid. If it is not,
/// the lost events count as leaves of nothing, and proofs start over.
struct RecoveredTree {
  private(set) var frontier: Frontier
  private(set) var isProven = true
  /// Runs of 256 events that are all there and do not make the root that was kept of them: where
  /// that is not what is damaged, one of them was rewritten.
  private(set) var rewritten: [ClosedRange<Int64>] = []

  private let connection: Connection
  private let hash = SHA256()
  private let size: Int64
  private static let bits: Int64 = 8
  private static let block: Int64 = 1 << bits

  /// Makes the tree, and the rows of its subtrees.
  ///
  /// - Parameters:
  ///   - connection: The book, with the events and subtrees that were found.
  ///   - former: The tree over what is in no event of this book.
  ///   - size: How many events there were.
  ///   - head: The tree as the damaged book's head has it; `nil` where that is lost.
  ///   - goesOn: Whether the tree may continue; `false` if an earlier recovery has restarted it
  ///     already: then its lost events count as leaves of nothing.
  /// - Throws: `storage` failures.
  init(
    _ connection: Connection, former: Frontier, size: Int64, head: Frontier?, goesOn: Bool
  ) throws(GatebookError) {
    self.connection = connection
    self.size = size
    frontier = former
    rewritten = try findRewritten(after: former.size)
    if let head, let tail = try rewrittenTail(after: former, head) { rewritten.append(tail) }
    let found = try foundRoots(of: former.size >> Self.bits)
    let isFormerRight = Self.tree(of: found, hash).matches(former)
    // Without the end of the tree its runs are all that proves it.
    let isKnown = goesOn && isFormerRight && (head != nil || rewritten.isEmpty)
    if isKnown, try build(from: former, head, isLenient: false) {
      // The end of the tree is known, so it is a root of the runs that is damaged.
      if head != nil { rewritten = [] }
    } else {
      isProven = false
      // Each run makes its root, and all that are there do not make the end of the tree.
      if goesOn, isFormerRight, head != nil, rewritten.isEmpty, try hasAll(after: former.size) {
        rewritten = [former.size + 1...size]
      }
      frontier = Self.tree(of: found, hash)
      frontier.append(tailOf: former, hash)
      _ = try build(from: frontier, nil, isLenient: true)
    }
    try writeFormer(found)
  }

  /// Which runs that have all of their events do not make the root that was found.
  private func findRewritten(after start: Int64) throws(GatebookError) -> [ClosedRange<Int64>] {
    var runs: [ClosedRange<Int64>] = []
    let rows = try connection.rows(
      "SELECT number, root FROM subtree WHERE level = 8 AND number >= ?1 AND number < ?2",
      (start + Self.block - 1) >> Self.bits, size >> Self.bits)
    while let row = try rows.next() {
      try BookRecovery.refuseCancelled()
      let first = row.integer(0) << Self.bits
      guard let stored = Digest(bytes: row.raw(1)),
        let leaves = try leaves(after: first, upTo: first + Self.block, isLenient: false)
      else { continue }
      if Frontier(leaves, hash).root(hash) != stored { runs.append(first + 1...first + Self.block) }
    }
    return runs
  }

  /// The events after the last full run, if all are there and do not make the end of the tree.
  private func rewrittenTail(
    after former: Frontier, _ head: Frontier
  ) throws(GatebookError) -> ClosedRange<Int64>? {
    let start = max(former.size, size & ~(Self.block - 1))
    guard head.size == size, start < size,
      let leaves = try leaves(after: start, upTo: size, isLenient: false)
    else { return nil }
    var tree = Frontier()
    if start == former.size { tree.append(tailOf: former, hash) }
    for leaf in leaves { tree.append(leaf, hash) }
    return tree.subtrees.map(\.root) == head.tail.map(\.root) ? nil : start + 1...size
  }

  private func hasAll(after start: Int64) throws(GatebookError) -> Bool {
    try connection.integer("SELECT count(*) FROM event WHERE position > ?1", start) == size - start
  }

  /// The roots of the first runs as they were found; one that is lost is that of a run of nothing.
  private func foundRoots(of count: Int64) throws(GatebookError) -> [Digest] {
    guard count > 0 else { return [] }
    let nothing = repeatElement(Self.leafOfNothing(hash), count: Int(Self.block))
    let lost = Frontier(nothing, hash).root(hash)
    let tree = PartialTree(connection)
    var roots: [Digest] = []
    for number in 0..<count {
      try BookRecovery.refuseCancelled()
      roots.append(try tree.subtree(Self.bits, number) ?? lost)
    }
    return roots
  }

  private static func tree(
    of roots: [Digest], _ hash: SHA256, completed: (Frontier.Subtree) -> Void = { _ in }
  ) -> Frontier {
    var tree = Frontier()
    for root in roots { tree.append(root, level: bits, hash, completed: completed) }
    return tree
  }

  /// Writes the rows of the subtrees that nothing of this book makes.
  private func writeFormer(_ roots: [Digest]) throws(GatebookError) {
    var subtrees: [Frontier.Subtree] = []
    for (number, root) in roots.enumerated() {
      subtrees.append(Frontier.Subtree(level: Self.bits, number: Int64(number), root: root))
    }
    _ = Self.tree(of: roots, hash) { subtrees.append($0) }
    try write(subtrees)
  }

  /// The leaf of an event that is lost, where nothing else is known of it.
  static func leafOfNothing(_ hash: SHA256) -> Digest { hash.leaf([UInt8]()) }

  private mutating func build(
    from former: Frontier, _ head: Frontier?, isLenient: Bool
  ) throws(GatebookError) -> Bool {
    var done = former.size
    var completed: [Frontier.Subtree] = []
    while done < size {
      try BookRecovery.refuseCancelled()
      let end = min(size, (done / Self.block + 1) * Self.block)
      if let leaves = try leaves(after: done, upTo: end, isLenient: isLenient) {
        for leaf in leaves { frontier.append(leaf, hash) { completed.append($0) } }
      } else if done % Self.block == 0, end % Self.block == 0, end - done == Self.block,
        let root = try PartialTree(connection).subtree(Self.bits, done / Self.block)
      {
        completed.append(Frontier.Subtree(level: Self.bits, number: done / Self.block, root: root))
        frontier.append(root, level: Self.bits, hash) { completed.append($0) }
      } else if end == size, let head,
        // Smaller ones are in the run that has the hole: an archive's may have become part of
        // others.
        head.subtrees.map(\.root).starts(with: frontier.runs)
      {
        frontier = head
      } else {
        return false
      }
      done = end
    }
    guard isLenient || head == nil || frontier.bytes == head?.bytes else { return false }
    try write(completed)
    return true
  }

  /// The leaves of a run; `nil` where one is lost.
  private func leaves(
    after start: Int64, upTo end: Int64, isLenient: Bool
  ) throws(GatebookError) -> [Digest]? {
    var leaves = [Digest?](repeating: nil, count: Int(end - start))
    let rows = try connection.rows(
      "SELECT position, leaf FROM event WHERE position > ?1 AND position <= ?2", start, end)
    while let row = try rows.next() {
      leaves[Int(row.integer(0) - start - 1)] = Digest(bytes: row.raw(1))
    }
    if isLenient { return leaves.map { $0 ?? Self.leafOfNothing(hash) } }
    let known = leaves.compactMap(\.self)
    return known.count == leaves.count ? known : nil
  }

  private func write(_ subtrees: [Frontier.Subtree]) throws(GatebookError) {
    for subtree in subtrees {
      try connection.run(
        "INSERT OR REPLACE INTO subtree VALUES (?1, ?2, ?3)", subtree.level, subtree.number,
        subtree.root.bytes)
    }
    // Rows that were found of what is no part of this tree.
    try connection.execute(
      """
      DELETE FROM subtree WHERE level NOT IN (8, 16, 24, 32, 40, 48, 56) OR number < 0
        OR number >= \(size) >> level
      """)
  }
}
