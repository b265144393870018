internal import GatebookEvents

/// The numbers that events of accounts have in one run of a log: each account's must follow each
/// other in the order of positions.
struct StreamRuns: Sendable {
  private struct Run {
    let first: Int64
    let position: Int64
    var last: Int64
  }

  // By the account's number in the book; 0 is the book's own stream.
  private var runs: [Int64: Run] = [:]
  private var gap: Int64?

  /// Takes the next event.
  mutating func add(_ revision: Int64, of account: Int64, at position: Int64) {
    guard let last = runs[account]?.last else {
      runs[account] = Run(first: revision, position: position, last: revision)
      return
    }
    if revision != last &+ 1 { note(position) }
    runs[account]?.last = revision
  }

  /// Takes the events that follow.
  mutating func add(_ next: StreamRuns) {
    if let gap = next.gap { note(gap) }
    for (account, run) in next.runs {
      if let last = runs[account]?.last {
        if run.first != last &+ 1 { note(run.position) }
        runs[account]?.last = run.last
      } else {
        runs[account] = run
      }
    }
  }

  /// The first position whose event does not follow the one before it of its account.
  ///
  /// - Parameters:
  ///   - start: The last event before the run.
  ///   - connection: The book.
  /// - Returns: The position; `nil` where each follows.
  /// - Throws: `storage` failures.
  func firstGap(after start: Int64, _ connection: Connection) throws(GatebookError) -> Int64? {
    var found = gap
    let baseline = BaselineRows(connection)
    for (account, run) in runs where run.position < found ?? .max {
      let before = run.first &- 1
      let position = try connection.first(
        "SELECT position FROM event WHERE account = ?1 AND revision = ?2", account, before
      ) { $0.integer(0) }
      let isThere =
        if let position { position <= start } else {
          try baseline.revision(of: account) == before
        }
      // Without the plus sign SQLite might look through all events up to there.
      let isLast = try !connection.has(
        "SELECT 1 FROM event WHERE account = ?1 AND revision > ?2 AND +position <= ?3", account,
        before, start)
      if !isThere || !isLast { found = run.position }
    }
    return found
  }

  private mutating func note(_ position: Int64) { gap = min(gap ?? position, position) }
}
