internal import Gatebook
internal import GatebookCrypto
internal import GatebookEvents

/// What a fleet says of one history of a book before its events are read.
struct HistoryHead {
  let branch: Int32
  /// The history that it left; `nil` for the first one.
  let parent: Int32?
  /// The last event that it shares with that one.
  let base: Int64
  /// Its first own event.
  let first: Int64
  /// The last event of the state that the book began with after an archive or a recovery; 0 where
  /// there is none.
  let floor: Int64
  /// The last event that the fleet forgot; 0 for none.
  ///
  /// What the history begins with is then a state that the fleet made.
  let forgotten: Int64
  /// The positions whose events a recovery did not find, in order; `nil` for what no shipper
  /// writes.
  let lost: [ClosedRange<Int64>]?
  let size: Int64
  let root: Digest?
  /// The note over the head.
  let checkpoint: String?
  /// The name of the machine.
  let machine: String?
  /// How many events came without their encrypted facts.
  let withheld: Int64
  /// The head that the stored states of accounts and sessions belong to; 0 for none.
  let folded: Int64
  /// The version of the folds that made them.
  let folds: Int64
  /// Whether there are rows of the book's past.
  let hasPast: Bool
  /// Whether there are rows of a state that the fleet made.
  let hasStart: Bool
  /// The public key that its event after `floor` names, if that is here.
  let checkpointKey: [UInt8]?

  /// The last event that is not its own.
  var start: Int64 { first - 1 }

  /// Reads all histories of a book, in the order in which they began.
  static func all(
    _ book: BookID, _ connection: FleetConnection
  ) throws(GatebookError) -> [HistoryHead] {
    try connection.run(
      """
      SELECT branch, parent, base, first, floor, lost::text, size, root, checkpoint, machine, withheld,
        EXISTS (SELECT FROM gatebook.past p WHERE p.book = $1 AND p.branch = b.branch
          AND \(PastRows.book.condition)),
        (SELECT e.data FROM gatebook.event e WHERE e.book = $1 AND e.branch = b.branch
          AND e.position = b.floor + 1),
        b.forgotten,
        EXISTS (SELECT FROM gatebook.past p WHERE p.book = $1 AND p.branch = b.branch
          AND p.part LIKE 'start.%'),
        b.folded, b.folds
      FROM gatebook.branch b WHERE book = $1 ORDER BY branch
      """, .identity(book)
    ).map { HistoryHead($0) }
  }

  private init(_ row: PostgresRow) {
    branch = Int32(truncatingIfNeeded: row.integer(0))
    parent = row.optionalInteger(1).map { Int32(truncatingIfNeeded: $0) }
    base = row.integer(2)
    first = row.integer(3)
    floor = row.integer(4)
    lost = Self.ranges(row.text(5))
    size = row.integer(6)
    root = row.optionalBytes(7).flatMap { Digest(bytes: $0) }
    checkpoint = row.optionalText(8)
    machine = row.optionalText(9)
    withheld = row.integer(10)
    hasPast = row.bool(11)
    checkpointKey = row.optionalBytes(12).flatMap { Self.key(in: Facts(decoding: $0)) }
    forgotten = row.integer(13)
    hasStart = row.bool(14)
    folded = row.integer(15)
    folds = row.integer(16)
  }

  /// The public key that the facts of a book's first event name.
  static func key(in facts: Facts?) -> [UInt8]? {
    facts?["checkpointKey"]?.text.flatMap { Hex.decode($0) }
  }

  /// Reads `{[5,8),[9,10)}`; `nil` for what has no bounds or reaches too far.
  private static func ranges(_ text: String) -> [ClosedRange<Int64>]? {
    var ranges: [ClosedRange<Int64>] = []
    for part in text.dropFirst().dropLast().split(separator: "[") {
      let bounds = part.prefix { $0 != ")" }.split(separator: ",", omittingEmptySubsequences: false)
      guard bounds.count == 2, let lower = Int64(bounds[0]), let upper = Int64(bounds[1]),
        lower >= 1, upper > lower
      else { return nil }
      ranges.append(lower...upper - 1)
    }
    return ranges
  }

  /// What no shipper writes.
  ///
  /// - Returns: A sentence; `nil` where nothing is wrong.
  var problem: String? {
    guard let lost, base >= 0, first > base, floor >= 0, size >= start,
      forgotten == 0 || forgotten == start,
      size <= Checkpoint.maximumSize, parent.map({ $0 < branch }) ?? (base == 0)
    else { return "The row of the history in gatebook.branch was changed." }
    // Only a recovery loses events, and the state that follows it counts them.
    guard lost.allSatisfy({ $0.lowerBound > start && $0.upperBound <= min(floor, size) }) else {
      return "The list of lost events was changed."
    }
    return hasPast == (floor > forgotten) && hasStart == (forgotten > 0)
      ? nil : "The record of where the history begins was changed."
  }
}
