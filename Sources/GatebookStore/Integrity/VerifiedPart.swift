internal import GatebookCrypto
internal import GatebookEvents

/// What was found in one run of positions: the tree over it, and the first thing that is wrong.
struct VerifiedPart: Sendable {
  private(set) var frontier = Frontier()
  private(set) var findings = Findings()
  /// What the indexes must hold of it.
  private(set) var entries = IndexEntries()
  /// Summaries that are not what the events say.
  private(set) var summaries: [String] = []
  /// The numbers of each account's events; `nil` where nobody asked for them.
  private(set) var streams: StreamRuns?
  /// How many positions the part covers.
  let count: Int64

  /// Whether `frontier` is the tree over all events up to the part's end, and not over the part
  /// alone.
  let isWhole: Bool
  /// The position before the first of those that the frontier counts.
  private let base: Int64

  /// Verifies the events of a run.
  ///
  /// - Parameters:
  ///   - path: The book.
  ///   - start: The last event that is left out.
  ///   - end: The last one of the run.
  ///   - former: The tree over all events up to `start`, where it is in no events of the book.
  ///   - followsStreams: Whether the numbers of accounts' events are looked at.
  ///   - heedsCancellation: Whether reading stops once the task is cancelled.
  init(
    of path: String, after start: Int64, upTo end: Int64, former: Frontier? = nil,
    followsStreams: Bool = false, heedsCancellation: Bool = false
  ) {
    count = end - start
    isWhole = former != nil
    base = former == nil ? start : 0
    if let former { frontier = former }
    if followsStreams { streams = StreamRuns() }
    do throws(GatebookError) {
      let reader = try BookReader.open(at: path)
      if heedsCancellation { reader.heedCancellation() }
      try verify(reader, start, end)
    } catch {
      findings.note("Reading stopped: \(error.finding)", firstAt: base + frontier.size + 1)
    }
  }

  private mutating func verify(
    _ reader: BookReader, _ start: Int64, _ end: Int64
  ) throws(GatebookError) {
    let connection = reader.connection
    let hash = SHA256()
    var blocks = BlockCheck(reader, after: start)
    defer {
      summaries = blocks.problems
      // The rows beside the events say nothing about them.
      if let failure = blocks.failure { findings.note(failure.finding) }
    }
    var made = EventLeaves(connection)
    var expected = start
    var isReadable = true
    try connection.scan(
      EventLeaves.columns, "event NOT INDEXED WHERE position > ?1 AND position <= ?2", start, end
    ) { (row) throws(GatebookError) in
      expected += 1
      let position = row.integer(0)
      guard position == expected else {
        findings.note("The event at position \(expected) is missing.", firstAt: expected)
        isReadable = false
        return false
      }
      guard let leaf = try findings.judge(row, &made) else {
        isReadable = false
        return false
      }
      try grow(by: leaf, hash, connection)
      entries.add(row)
      streams?.add(row.integer(3), of: row.integer(2), at: position)
      blocks.take(
        RollupEvent(account: row.integer(2), kind: row.integer(5), at: row.integer(7)),
        at: position)
      return true
    }
    guard isReadable else { return }
    guard expected == end else {
      return findings.note(
        "The event at position \(expected + 1) is missing.", firstAt: expected + 1)
    }
  }

  /// Adds a leaf and compares the subtrees that it completes with the stored ones.
  private mutating func grow(
    by leaf: Digest, _ hash: SHA256, _ connection: Connection
  ) throws(GatebookError) {
    var completed: [Frontier.Subtree] = []
    frontier.append(leaf, hash) { completed.append($0) }
    for subtree in completed {
      let number = (base >> subtree.level) + subtree.number
      guard try PartialTree(connection).subtree(subtree.level, number) != subtree.root else {
        continue
      }
      let first = number << subtree.level + 1
      findings.note("The stored root of the events from \(first) on differs.", firstAt: first)
    }
  }
}
