internal import GatebookEvents

/// The events of the block that is being filled.
struct BlockEvents {
  private var events: [RollupEvent] = []

  init() {
    events.reserveCapacity(Int(Block.size))
  }

  /// Reads those after a position.
  init(_ connection: Connection, after start: Int64, upTo end: Int64) throws(GatebookError) {
    self.init()
    let rows = try connection.rows(
      """
      SELECT account, kind, at FROM event WHERE position > ?1 AND position <= ?2 ORDER BY position
      """, start, end)
    while let row = try rows.next() { add(RollupEvent(row)) }
  }

  var isFull: Bool { events.count == Block.size }

  mutating func add(_ event: RollupEvent) { events.append(event) }

  mutating func removeAll() { events.removeAll(keepingCapacity: true) }

  /// The block of these events.
  func block(_ number: Int64) -> Block {
    var block = Block(level: Block.levels.lower, number: number)
    for event in events { block.add(event) }
    return block
  }

  /// Adds how many there are of each kind: in all, by day and by stream.
  func count(into tallies: inout [TallyKey: Int64]) {
    // Sorted, so that the dictionary is asked once for a run of equal ones: this is the hot path of
    // an append and of a rebuild.
    let sorted = events.sorted { ($0.account, $0.kind, $0.at) < ($1.account, $1.kind, $1.at) }
    var start = 0
    while start < sorted.count {
      let first = sorted[start]
      let day = first.day
      var end = start + 1
      while end < sorted.count, sorted[end].account == first.account,
        sorted[end].kind == first.kind, sorted[end].day == day
      {
        end += 1
      }
      for part in [TallyKey.book, TallyKey.day, TallyKey.account] {
        tallies[first.key(in: part), default: 0] += Int64(end - start)
      }
      start = end
    }
  }
}
