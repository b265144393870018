internal import GatebookEvents

/// Finds the parts of the log that may contain events of some kinds and times, by the summaries of
/// blocks: parts without a block are always included.
struct BlockSearch {
  /// Neighbouring events.
  struct Span: Hashable {
    /// The last position before them.
    var start: Int64
    /// The last one of them.
    var end: Int64
  }

  private let connection: Connection
  /// Whether there are blocks to look at.
  private let hasBlocks: Bool
  /// Up to here no block speaks of events.
  private let floor: Int64
  /// The kinds that are wanted, as in ``Block/kinds``; -1 for all.
  var kinds: Int64 = -1
  /// The first moment that is wanted.
  var since = Int64.min
  /// The last moment that is wanted.
  var until = Int64.max

  init(_ reader: BookReader) throws(GatebookError) {
    connection = reader.connection
    hasBlocks = try reader.hasRollups()
    floor = try Baseline.read(connection)?.floor ?? 0
  }

  /// Tells the parts one by one.
  ///
  /// - Parameters:
  ///   - start: The last event that is left out.
  ///   - end: The last event that counts.
  ///   - newestFirst: Whether it begins at the end of the book.
  ///   - body: Sees each part; says whether it wants more.
  /// - Throws: What `body` throws, and `storage` failures.
  func forEachSpan(
    after start: Int64, upTo end: Int64, newestFirst: Bool = false,
    _ body: (Span) throws(GatebookError) -> Bool
  ) throws(GatebookError) {
    let rows = BlockRows(connection)
    let lower = hasBlocks ? try rows.count(Block.levels.lower) : 0
    let upper = hasBlocks ? try rows.count(Block.levels.upper) : 0
    // The ranges of blocks of level 8 to be looked at: those below upper blocks that fit, and the
    // rest.
    var ranges = try fitting(Block.levels.upper, 0..<upper, after: start, upTo: end).map {
      $0 * Block.size..<($0 + 1) * Block.size
    }
    if upper * Block.size < lower { ranges.append(upper * Block.size..<lower) }
    let tail = Span(start: max(start, floor, lower * Block.size), end: end)
    let head = Span(start: start, end: min(end, floor))
    if newestFirst, tail.start < tail.end { guard try body(tail) else { return } }
    if !newestFirst, head.start < head.end { guard try body(head) else { return } }
    for range in newestFirst ? ranges.reversed() : ranges {
      let blocks = try fitting(Block.levels.lower, range, after: start, upTo: end)
      let spans = Self.spans(blocks, after: max(start, floor), upTo: end)
      for span in newestFirst ? spans.reversed() : spans {
        guard try body(span) else { return }
      }
    }
    if newestFirst, head.start < head.end { _ = try body(head) }
    if !newestFirst, tail.start < tail.end { _ = try body(tail) }
  }

  /// The numbers of the blocks that may hold what is wanted.
  private func fitting(
    _ level: Int64, _ numbers: Range<Int64>, after start: Int64, upTo end: Int64
  ) throws(GatebookError) -> [Int64] {
    let first = max(numbers.lowerBound, start >> level)
    let last = min(numbers.upperBound, (end >> level) + 1)
    guard first < last else { return [] }
    return try connection.all(
      """
      SELECT number FROM block
      WHERE level = ?1 AND number >= ?2 AND number < ?3
        AND kinds & ?4 != 0 AND latest >= ?5 AND earliest <= ?6
      ORDER BY number
      """, level, first, last, kinds, since, until
    ) { $0.integer(0) }
  }

  /// The events of the blocks, neighbours as one.
  private static func spans(
    _ blocks: [Int64], after start: Int64, upTo end: Int64
  ) -> [Span] {
    var spans: [Span] = []
    for block in blocks {
      let first = max(start, block * Block.size)
      let last = min(end, (block + 1) * Block.size)
      guard first < last else { continue }
      if spans.last?.end == first {
        spans[spans.count - 1].end = last
      } else {
        spans.append(Span(start: first, end: last))
      }
    }
    return spans
  }
}
