internal import GatebookCrypto
internal import GatebookEvents

/// Roots over the beginning of a log, from the stored leaves and subtrees: all that a proof needs.
struct PartialTree: BookTables {
  let connection: Connection
  private let hash = SHA256()

  /// The root over the first `size` events; `nil` when a stored part of it is missing.
  func root(of size: Int64) throws(GatebookError) -> Digest? {
    try root(after: 0, upTo: size)
  }

  /// The tree over the first `size` events, so that events can be added to it.
  ///
  /// Only the largest stored subtrees are read, and the leaves after the last run of 256: it costs
  /// the same for few events and for many.
  ///
  /// - Parameters:
  ///   - size: How many events.
  ///   - baseline: Where the book begins, at `size` at the latest.
  /// - Returns: The tree; `nil` when a stored part of it is missing.
  /// - Throws: `storage` failures.
  func frontier(of size: Int64, after baseline: Baseline?) throws(GatebookError) -> Frontier? {
    var frontier = Frontier()
    if let baseline, baseline.floor > size & ~0xFF {
      // The last leaves before the floor are in no event of this book.
      frontier = baseline.frontier
    } else {
      for level in stride(from: Int64(56), through: 8, by: -8) {
        while size - frontier.size >= 1 << level {
          guard let root = try subtree(level, frontier.size >> level) else { return nil }
          frontier.append(root, level: level, hash)
        }
      }
    }
    try frontier.append(eventsIn: connection, after: frontier.size, upTo: size, hash)
    return frontier.size == size ? frontier : nil
  }

  /// The path from an event to the root over the first `size` events (RFC 6962 section 2.1.1).
  ///
  /// - Returns: The siblings, from the leaf's on; `nil` when a stored part is missing.
  func path(to position: Int64, of size: Int64) throws(GatebookError) -> [Digest]? {
    var siblings: [Digest] = []
    var (start, end) = (Int64(0), size)
    while end - start > 1 {
      let middle = start + Self.largestPower(below: end - start)
      let isLeft = position <= middle
      let sibling =
        isLeft ? try root(after: middle, upTo: end) : try root(after: start, upTo: middle)
      guard let sibling else { return nil }
      siblings.append(sibling)
      if isLeft { end = middle } else { start = middle }
    }
    return siblings.reversed()
  }

  /// The root over events that are all of a subtree, or at the tree's end.
  private func root(after start: Int64, upTo end: Int64) throws(GatebookError) -> Digest? {
    var frontier = Frontier()
    var done = start
    for level in stride(from: Int64(56), through: 8, by: -8) where done & (1 << level - 1) == 0 {
      let rows = try connection.rows(
        """
        SELECT number, root FROM subtree WHERE level = ?1 AND number >= ?2 AND number < ?3
        ORDER BY number
        """, level, done >> level, end >> level)
      while let row = try rows.next(), row.integer(0) == done >> level,
        let root = Digest(bytes: row.raw(1))
      {
        frontier.append(root, level: level, hash)
        done += 1 << level
      }
    }
    var tree = frontier
    try tree.append(eventsIn: connection, after: done, upTo: end, hash)
    if tree.size == end - start { return tree.root(hash) }
    // Archived and lost events are represented by the subtrees that the book continues.
    guard let baseline = try Baseline.read(connection), done < baseline.floor else { return nil }
    for node in baseline.frontier.subtrees {
      let (first, last) = (node.number << node.level, (node.number + 1) << node.level)
      guard first == done, last <= end else { continue }
      frontier.append(node.root, level: node.level, hash)
      done = last
    }
    try frontier.append(eventsIn: connection, after: done, upTo: end, hash)
    return frontier.size == end - start ? frontier.root(hash) : nil
  }

  /// The largest power of two that is smaller than a number above 1.
  private static func largestPower(below number: Int64) -> Int64 {
    1 << Int64(63 - (number - 1).leadingZeroBitCount)
  }

  /// The stored root of one subtree; `nil` when there is none.
  func subtree(_ level: Int64, _ number: Int64) throws(GatebookError) -> Digest? {
    try connection.first(
      "SELECT root FROM subtree WHERE level = ?1 AND number = ?2", level, number
    ) { Digest(bytes: $0.raw(0)) }
  }
}
