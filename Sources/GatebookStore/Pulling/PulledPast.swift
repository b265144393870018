internal import GatebookCrypto
internal import GatebookEvents

/// What a book begins with whose past is not in it, from the rows that left the book.
package struct PulledPast {
  static let opening = "opening"
  static let event = "opening_event"
  static let accounts = "accounts"
  /// A member of the row `opening` that a fleet made.
  static let checkpointKey = "checkpointKey"
  /// Another one: the version of the folds that computed the state.
  static let folds = "folds"

  private(set) var baseline: Baseline
  /// The last event that the fleet forgot; 0 for none.
  private(set) var forgotten: Int64 = 0
  /// The book's public key, if no event has to name it.
  private(set) var checkpointKey: [UInt8]?
  /// The version of the folds that computed the state, if a fleet made it; 0 for an unknown one.
  private(set) var foldsOfFleet: Int64?
  /// The accounts in the order of the book.
  let accounts: [AccountID]
  /// The rows of `opening_row`.
  let state: [BaselineState.Row]
  /// The runs of the tree's stored subtrees.
  let subtrees: [SubtreeRun]
  /// The leaves and the events that the state names.
  let events: [(leaf: [UInt8], event: CanonicalParts)]

  /// Sorts the rows.
  ///
  /// `nil` if the record of where the book begins, or an event, cannot be read.
  ///
  /// - Parameters:
  ///   - rows: As ``BookReader/pastRows(hasPersonal:)`` or ``PulledState`` returns them.
  ///   - forgotten: The last event that the fleet forgot; 0 for none.
  package init?(_ rows: [ShippedRow], forgotten: Int64 = 0) {
    var baseline: Baseline?
    var key: [UInt8]?
    var accounts: [AccountID] = []
    var state: [BaselineState.Row] = []
    var subtrees: [SubtreeRun] = []
    var events: [(leaf: [UInt8], event: CanonicalParts)] = []
    for row in rows {
      switch row.part {
      case Self.opening:
        let facts = Facts(decoding: row.content)
        baseline = facts.flatMap { Baseline($0) }
        key = facts?[Self.checkpointKey]?.text.flatMap { Hex.decode($0) }
        if key != nil { foldsOfFleet = facts?[Self.folds]?.integer ?? 0 }
      case Self.accounts:
        accounts = stride(from: 0, to: row.content.count, by: 16).compactMap {
          AccountID(bytes: row.content[$0...].prefix(16))
        }
      case SubtreeRun.part:
        guard let run = SubtreeRun(row) else { return nil }
        subtrees.append(run)
      case Self.event:
        guard let event = CanonicalParts(Array(row.content.dropFirst(Digest.count))) else {
          return nil
        }
        events.append((Array(row.content.prefix(Digest.count)), event))
      default: state.append(BaselineState.Row(part: row.part, name: row.name, state: row.content))
      }
    }
    guard var baseline, forgotten <= baseline.floor else { return nil }
    // Of what a recovery kept, the fleet may have forgotten the first events since.
    if forgotten >= baseline.first { baseline.first = forgotten + 1 }
    if forgotten == baseline.first - 1 { self.forgotten = forgotten }
    checkpointKey = key
    (self.baseline, self.accounts, self.state) = (baseline, accounts, state)
    (self.subtrees, self.events) = (subtrees, events)
  }

  /// The first event that the book has itself.
  package var first: Int64 { baseline.first }
  /// The last event that the state counts.
  package var floor: Int64 { baseline.floor }
  /// Whether the state names events that are not among the rows.
  package var lacksEvents: Bool {
    events.isEmpty && state.contains { $0.part == BaselineState.event }
  }
}

/// Stored roots of subtrees of one level, side by side.
///
/// As a row its name is the level and the number of the first one, each an i64; its content the
/// roots.
struct SubtreeRun {
  static let part = "subtree"
  /// As many are in one row at most.
  private static let most = 256

  let level: Int64
  let first: Int64
  private(set) var roots: [UInt8]

  private init(_ level: Int64, _ first: Int64) {
    self.level = level
    self.first = first
    roots = []
  }

  /// Reads a row; `nil` for anything that is none.
  init?(_ row: ShippedRow) {
    guard row.name.count == 16, row.content.count % Digest.count == 0 else { return nil }
    level = BaselineState.integer(Array(row.name.prefix(8)))
    first = BaselineState.integer(Array(row.name.suffix(8)))
    roots = row.content
  }

  var row: ShippedRow {
    ShippedRow(
      part: Self.part, name: BaselineState.bytes(level) + BaselineState.bytes(first), content: roots
    )
  }

  /// How many there are.
  var count: Int64 { Int64(roots.count / Digest.count) }

  /// Those of a book that are over events up to a position.
  static func all(
    upTo floor: Int64, _ connection: Connection
  ) throws(GatebookError) -> [SubtreeRun] {
    var runs: [SubtreeRun] = []
    let rows = try connection.rows(
      """
      SELECT level, number, root FROM subtree WHERE (number + 1) << level <= ?1
      ORDER BY level, number
      """, floor)
    while let row = try rows.next() {
      let (level, number) = (row.integer(0), row.integer(1))
      if runs.last.map({ $0.level == level && $0.first + $0.count == number && $0.count < most })
        != true
      {
        runs.append(SubtreeRun(level, number))
      }
      runs[runs.count - 1].roots += row.bytes(2)
    }
    return runs
  }

  /// Writes them into a book.
  func write(_ connection: Connection) throws(GatebookError) {
    for (index, start) in stride(from: 0, to: roots.count, by: Digest.count).enumerated() {
      try connection.run(
        "INSERT INTO subtree VALUES (?1, ?2, ?3)", level, first + Int64(index),
        Array(roots[start..<start + Digest.count]))
    }
  }
}
