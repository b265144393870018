internal import GatebookEvents

/// Makes, from the events of the log in their order, the rows of the past: blocks, counters,
/// snapshots.
///
/// Rows go out as soon as they are made, so it holds no more than the counters.
final class Rollup {
  private let rows: (any RollupRows)?
  /// Whether it sees the whole log, and not one stream alone: only then events can be counted.
  private let isWhole: Bool
  private var events = BlockEvents()
  private var blocks: OpenBlocks
  /// How many events the full blocks hold, and those that the book begins with.
  private(set) var tallies: [TallyKey: Int64] = [:]

  /// Begins where the book does.
  ///
  /// - Parameters:
  ///   - rows: Where rows go; `nil` where nobody wants them.
  ///   - connection: The book.
  ///   - account: Whose stream alone it sees; `nil` for the whole log.
  /// - Throws: `storage` failures.
  init(
    _ rows: (any RollupRows)?, _ connection: Connection, of account: AccountID?
  ) throws(GatebookError) {
    self.rows = rows
    isWhole = account == nil
    let floor = try Baseline.read(connection)?.floor ?? 0
    blocks = OpenBlocks(after: floor, floor: floor)
    if isWhole { tallies = try BaselineRows(connection).tallies() }
  }

  /// Counts the events after the last full block, too, for callers that want all.
  func countRest() {
    events.count(into: &tallies)
    events.removeAll()
  }

  /// Takes an event that the fold has just taken.
  func take(
    _ entry: LogEntry, account: Int64, kind: Int64, _ fold: BookFold
  ) throws(GatebookError) {
    if let rows {
      try Snapshot.take(after: entry, number: account, in: fold, isWhole: isWhole) {
        (snapshot) throws(GatebookError) in try rows.take(snapshot)
      }
    }
    guard isWhole else { return }
    let event = RollupEvent(account: account, kind: kind, at: entry.at.rawValue)
    events.add(event)
    blocks.add(event)
    let ended = blocks.end(at: entry.position.rawValue)
    guard !ended.isEmpty else { return }
    for block in ended { try rows?.take(block) }
    countRest()
  }
}

/// Where a fold of the log puts its rows of the past: in the tables, or beside the stored ones.
protocol RollupRows: AnyObject {
  func take(_ block: Block) throws(GatebookError)
  func take(_ snapshot: Snapshot) throws(GatebookError)
}
