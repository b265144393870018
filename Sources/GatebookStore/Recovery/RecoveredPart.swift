internal import GatebookCrypto
internal import GatebookEvents

/// The check of a recovered book's events up to its floor: each event, what is missing, and the
/// tree wherever it has no gap.
struct RecoveredPart {
  private(set) var findings = Findings()
  /// What the indexes must hold of it.
  private(set) var entries = IndexEntries()
  private let baseline: Baseline
  private let hash = SHA256()
  private let connection: Connection
  /// The leaves of the present run of 256.
  private var run = Frontier()
  private var kept = Frontier()
  /// Whether all leaves of the present run of 256 are known.
  private var isKnown: Bool

  init(_ baseline: Baseline, _ connection: Connection) {
    self.baseline = baseline
    self.connection = connection
    isKnown = (baseline.first - 1) & 0xFF == 0
    do throws(GatebookError) {
      try verify()
    } catch {
      findings.note("Reading stopped: \(error.finding)", firstAt: baseline.first)
    }
  }

  private mutating func verify() throws(GatebookError) {
    var made = EventLeaves(connection)
    var lost = try LostEvents(connection).ranges()[...]
    let rows = try connection.rows(
      """
      SELECT \(EventLeaves.columns) FROM event
      WHERE position <= ?1 ORDER BY position
      """, baseline.floor)
    var expected = baseline.first
    while let row = try rows.next() {
      let position = row.integer(0)
      try skip(&lost, &expected)
      guard position == expected else {
        return findings.note(
          "The event at position \(expected) is missing, but not recorded as lost.",
          firstAt: expected
        )
      }
      guard let leaf = try findings.judge(row, &made) else { return }
      entries.add(row)
      kept.append(leaf, hash)
      try take(leaf, at: position)
      expected += 1
    }
    try skip(&lost, &expected)
    guard expected == baseline.floor + 1 else {
      return findings.note(
        "The event at position \(expected) is missing, but not recorded as lost.", firstAt: expected
      )
    }
    checkEnd()
  }

  /// Steps over the lost events that come next.
  private mutating func skip(
    _ lost: inout ArraySlice<ClosedRange<Int64>>, _ expected: inout Int64
  ) throws(GatebookError) {
    while let range = lost.first, range.lowerBound == expected, range.upperBound <= baseline.floor {
      if baseline.isProven {
        // What is lost of a run leaves nothing to compare its root with.
        run = Frontier()
        isKnown = range.upperBound & 0xFF == 0
      } else {
        for position in range {
          try take(RecoveredTree.leafOfNothing(hash), at: position)
        }
      }
      expected = range.upperBound + 1
      lost.removeFirst()
    }
  }

  private mutating func take(_ leaf: Digest, at position: Int64) throws(GatebookError) {
    run.append(leaf, hash)
    guard position & 0xFF == 0 else { return }
    let number = position >> 8 - 1
    if isKnown, run.size == 256,
      try PartialTree(connection).subtree(8, number) != run.root(hash)
    {
      let first = number << 8 + 1
      findings.note("The stored root over the events from \(first) on differs.", firstAt: first)
    }
    run = Frontier()
    isKnown = true
  }

  /// Compares with what the recovery's own event has recorded.
  mutating func compare(with event: BookRecovered, _ continuation: Continuation) {
    let lost = continuation.lostCount
    if event.lost != lost {
      findings.note(
        "Of the events up to \(baseline.floor), \(lost) are recorded as lost, but the recovery lost "
          + "\(event.lost).", firstAt: baseline.first)
    }
    guard let recorded = event.kept, findings.problems.isEmpty,
      Hex.encode(kept.root(hash).bytes) != recorded
    else { return }
    findings.note(
      "The events from before the recovery are not the ones that it kept.",
      firstAt: continuation.uncovered.first?.lowerBound.rawValue ?? baseline.first)
  }

  /// The events after the last full run of 256 are the end of the tree.
  private mutating func checkEnd() {
    guard isKnown, run.size == baseline.floor & 0xFF else { return }
    if run.subtrees.map(\.root) != baseline.frontier.tail.map(\.root) {
      findings.note(
        "The events from before the recovery do not match their tree.",
        firstAt: baseline.floor & ~0xFF + 1)
    }
  }
}
