internal import GatebookEvents

/// Makes, from the events of the log in their order, the rows of the past: blocks, counters,
/// snapshots.
///
/// Rows go out as soon as they are made, so it holds no more than the counters.
final class Rollup {
  private let rows: any RollupRows
  /// Whether it sees the whole log, and not one stream alone: only then events can be counted.
  private let isWhole: Bool
  private var events = BlockEvents()
  private var upper: Block?
  /// How many events the full blocks hold.
  private(set) var tallies: [TallyKey: Int64] = [:]

  init(_ rows: any RollupRows, isWhole: Bool) {
    self.rows = rows
    self.isWhole = isWhole
  }

  /// Takes an event that the fold has just taken.
  func take(
    _ entry: LogEntry, account: Int64, kind: Int64, _ fold: BookFold
  ) throws(GatebookError) {
    if Snapshot.isDue(after: entry) { try keep(entry, account, fold) }
    guard isWhole else { return }
    events.add(RollupEvent(account: account, kind: kind, at: entry.at.rawValue))
    if entry.position.rawValue % Block.size == 0 {
      try complete(entry.position.rawValue / Block.size - 1)
    }
  }

  private func keep(
    _ entry: LogEntry, _ account: Int64, _ fold: BookFold
  ) throws(GatebookError) {
    if let snapshot = Snapshot.ofAccount(after: entry, number: account, in: fold) {
      try rows.take(snapshot)
    }
    if isWhole, let snapshot = Snapshot.ofRoster(after: entry, in: fold) {
      try rows.take(snapshot)
    }
  }

  private func complete(_ number: Int64) throws(GatebookError) {
    let block = events.block(number)
    try rows.take(block)
    events.count(into: &tallies)
    events.removeAll()
    var upper = upper ?? Block(level: Block.levels.upper, number: number / Block.size)
    upper.add(block)
    self.upper = upper
    guard (number + 1) % Block.size == 0 else { return }
    try rows.take(upper)
    self.upper = nil
  }
}
