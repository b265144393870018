internal import GatebookCrypto
internal import GatebookEvents

/// What a recovery has found, as its own event `book.recovered` records it: every checkpoint since
/// covers it.
struct RecoveryRecord {
  /// The root over the leaves of the events that it kept, as hexadecimal digits; `nil` in the event
  /// of an older version.
  var kept: String?
  /// How many events it did not find.
  var lost: Int64 = 0
  /// Runs of events that did not make the root that was kept of them, in order.
  private(set) var suspect: [ClosedRange<Int64>] = []
  /// Whether it has recorded what it could not believe: older versions did not.
  private(set) var hasDoubts = true
  /// Whether it was known where the log ended.
  var hasEnd = true
  /// Whether the state that the book began with was what it was.
  var hasBeginning = true

  /// Scattered ones of a great book would make an event of any size.
  private static let mostRuns = 64

  init() {}

  /// Reads it; `nil` where a book was not recovered, or its event is lost.
  init?(behind baseline: Baseline?, _ connection: Connection) throws(GatebookError) {
    guard let baseline, baseline.isRecovered else { return nil }
    let facts = try connection.first(
      "SELECT data FROM event WHERE position = ?1", baseline.floor + 1
    ) { Facts(decoding: $0.raw(0)) }
    guard let event = facts.map(BookRecovered.init) else { return nil }
    kept = event.kept
    lost = event.lost
    for pair in event.suspect?.list ?? [] {
      let ends = pair.list?.compactMap(\.integer) ?? []
      guard ends.count == 2, suspect.last?.upperBound ?? 0 < ends[0], ends[0] <= ends[1],
        ends[1] <= baseline.floor
      else { continue }
      suspect.append(ends[0]...ends[1])
    }
    hasDoubts = event.unknown != nil
    hasEnd = event.unknown?.contains("end") != true
    hasBeginning = event.unknown?.contains("beginning") != true
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

  /// Writes it into the event that records it.
  func write(into event: inout BookRecovered) {
    event.kept = kept
    event.lost = lost
    if !suspect.isEmpty {
      event.suspect = .list(
        suspect.map { .list([.integer($0.lowerBound), .integer($0.upperBound)]) })
    }
    event.unknown = [hasBeginning ? nil : "beginning", hasEnd ? nil : "end"].compactMap(\.self)
  }
}

extension RecoveryRecord {
  /// Events that are not those that were kept then, as far as that can still be told: where more of
  /// them are lost by now, nothing tells it.
  ///
  /// - Parameters:
  ///   - baseline: Where the book began that this recovery made.
  ///   - lost: What is lost now.
  ///   - connection: The book.
  /// - Returns: Those that nothing else covers; where there are none, all up to there.
  /// - Throws: `storage` failures.
  func rewritten(
    upTo baseline: Baseline, besides lost: [ClosedRange<Int64>], _ connection: Connection
  ) throws(GatebookError) -> [ClosedRange<Int64>] {
    let floor = baseline.floor
    let lost = lost.filter { $0.lowerBound <= floor }
    let count = lost.reduce(0) { $0 + min($1.upperBound, floor) - $1.lowerBound + 1 }
    guard let kept, floor >= baseline.first,
      try Self.kept(connection, upTo: floor) != kept, count == self.lost
    else { return [] }
    let uncovered = Continuation.uncovered(besides: lost, after: baseline.first - 1, upTo: floor)
    return uncovered.isEmpty ? [baseline.first...floor] : uncovered
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
}
