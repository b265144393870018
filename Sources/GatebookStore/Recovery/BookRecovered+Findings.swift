internal import GatebookCrypto
internal import GatebookEvents

/// What a recovery has found, as its own event records it: every checkpoint since covers it.
extension BookRecovered {
  /// Scattered ones of a great book would make an event of any size.
  private static let mostRuns = 64

  /// Reads it; `nil` where a book was not recovered, or its event is lost.
  init?(behind baseline: Baseline?, _ connection: Connection) throws(GatebookError) {
    guard let baseline, baseline.isRecovered else { return nil }
    let facts = try connection.first(
      "SELECT data FROM event WHERE position = ?1", baseline.floor + 1
    ) { Facts(decoding: $0.raw(0)) }
    guard let facts else { return nil }
    self.init(facts)
    suspect = suspect.reduce(into: []) { runs, run in
      guard run.lowerBound > runs.last?.upperBound ?? 0, run.upperBound <= baseline.floor else {
        return
      }
      runs.append(run)
    }
  }

  /// Whether it was known where the log ended.
  var hasEnd: Bool { unknown?.contains("end") != true }

  /// Whether the state that the book began with was what it was.
  var hasBeginning: Bool { unknown?.contains("beginning") != true }

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
