internal import GatebookEvents

/// Counts what the writer records, a block at a time, in the transaction that completes it.
final class BlockCounter {
  private let connection: Connection
  private let tables: RollupTables
  /// Those of the block that is being filled, as far as this writer has recorded them itself.
  private var events = BlockEvents()

  init(_ connection: Connection, _ tables: RollupTables) {
    self.connection = connection
    self.tables = tables
  }

  /// Forgets what it has seen: somebody else wrote, or a transaction was rolled back.
  func forget() { events.removeAll() }

  func take(_ event: RollupEvent, at position: Int64) throws(GatebookError) {
    events.add(event)
    guard position % Block.size == 0 else { return }
    let number = position / Block.size - 1
    // There is more than one to be made where an older Gatebook, which had the book open while it
    // was brought up to date, has written on.
    for block in stride(from: try tables.nextBlock(), through: number, by: 1) {
      try write(block, block == number && events.isFull ? events : try read(block))
    }
    events.removeAll()
  }

  private func read(_ number: Int64) throws(GatebookError) -> BlockEvents {
    // What the baseline counts is in no block.
    let floor = try Baseline.read(connection)?.floor ?? 0
    return try BlockEvents(
      connection, after: max(floor, number * Block.size), upTo: (number + 1) * Block.size)
  }

  private func write(_ number: Int64, _ events: BlockEvents) throws(GatebookError) {
    try tables.take(events.block(number))
    var tallies: [TallyKey: Int64] = [:]
    events.count(into: &tallies)
    try tables.add(tallies)
    if (number + 1) % Block.size == 0 {
      try tables.take(BlockRows(connection).upper(number / Block.size))
    }
  }
}
