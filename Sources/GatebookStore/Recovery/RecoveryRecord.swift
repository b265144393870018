internal import GatebookCrypto
internal import GatebookEvents

/// What a recovery has found, as its own event `book.recovered` records it: every checkpoint since
/// covers it.
struct RecoveryRecord {
  /// The root over the leaves of the events that it kept, as hexadecimal digits; `nil` in the event
  /// of an older version.
  var kept: String?
  /// How many events it did not find.
  var lost: Int64?
  /// Runs of events that did not make the root that was kept of them, in order.
  var suspect: [ClosedRange<Int64>] = []
  /// Whether it has recorded what it could not believe: older versions did not.
  private(set) var hasDoubts = true
  /// Whether it was known where the log ended.
  var hasEnd = true
  /// Whether the state that the book began with was what it was.
  var hasBeginning = true

  /// Scattered ones of a great book would make an event of any size.
  private static let mostRuns = 64

  init() {}

  /// Reads it; `nil` if the event after the floor is no recovery's.
  init?(behind floor: Int64, _ connection: Connection) throws(GatebookError) {
    let rows = try connection.rows("SELECT data FROM event WHERE position = ?1", floor + 1)
    guard let row = try rows.next(), let facts = Facts(decoding: row.raw(0)) else { return nil }
    kept = facts["kept"]?.text
    lost = facts["lost"]?.integer
    for pair in facts["suspect"]?.list ?? [] {
      let ends = pair.list?.compactMap(\.integer) ?? []
      guard ends.count == 2, suspect.last?.upperBound ?? 0 < ends[0], ends[0] <= ends[1],
        ends[1] <= floor
      else { continue }
      suspect.append(ends[0]...ends[1])
    }
    hasDoubts = facts["unknown"] != nil
    let unknown = (facts["unknown"]?.list ?? []).compactMap(\.text)
    hasEnd = !unknown.contains("end")
    hasBeginning = !unknown.contains("beginning")
  }

  /// The root over the leaves of the events up to a position, in their order.
  ///
  /// Where events beside them are lost, or in an archive, no other tree covers what is left.
  static func kept(_ connection: Connection, upTo floor: Int64) throws(GatebookError) -> String {
    let hash = SHA256()
    var tree = Frontier()
    try tree.append(eventsIn: connection, after: 0, upTo: floor, hash)
    return Hex.encode(tree.root(hash).bytes)
  }

  /// Adds what a recovery before this one has recorded: its event is one of many by now.
  mutating func add(_ former: RecoveryRecord?) {
    guard let former else { return }
    hasEnd = hasEnd && former.hasEnd
    hasBeginning = hasBeginning && former.hasBeginning
    suspect(former.suspect)
  }

  /// Adds runs; from the 64th on one stands for all to the last.
  mutating func suspect(_ runs: [ClosedRange<Int64>]) {
    var joined: [ClosedRange<Int64>] = []
    for run in (suspect + runs).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = joined.last, run.lowerBound <= last.upperBound || joined.count == Self.mostRuns
      {
        joined[joined.count - 1] = last.lowerBound...max(last.upperBound, run.upperBound)
      } else {
        joined.append(run)
      }
    }
    suspect = joined
  }

  /// Its facts.
  func write(into facts: inout Facts) {
    facts["kept"] = kept.map(FactValue.text)
    facts["lost"] = lost.map(FactValue.integer)
    if !suspect.isEmpty {
      facts["suspect"] = .list(
        suspect.map { .list([.integer($0.lowerBound), .integer($0.upperBound)]) })
    }
    let unknown = [hasBeginning ? nil : "beginning", hasEnd ? nil : "end"].compactMap(\.self)
    facts["unknown"] = .list(unknown.map(FactValue.text))
  }
}
