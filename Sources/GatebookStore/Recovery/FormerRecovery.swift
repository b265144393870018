internal import GatebookCrypto
internal import GatebookEvents

/// A recovery before this one, and what it has recorded.
struct FormerRecovery {
  private let opening: Opening
  private let connection: Connection
  /// What it found.
  let record: RecoveryRecord

  /// Reads it; `nil` where there was none, or its event is lost.
  init?(_ opening: Opening?, _ connection: Connection) throws(GatebookError) {
    guard let opening, opening.isRecovered,
      let record = try RecoveryRecord(behind: opening.floor, connection)
    else { return nil }
    self.opening = opening
    self.connection = connection
    self.record = record
  }

  /// Events that are not those that were kept then, as far as that can still be told: where more of
  /// them are lost by now, nothing tells it.
  ///
  /// - Parameter lost: What is lost now.
  /// - Returns: Those that nothing else covers; where there are none, all up to there.
  /// - Throws: `storage` failures.
  func rewritten(
    besides lost: [ClosedRange<Int64>]
  ) throws(GatebookError) -> [ClosedRange<Int64>] {
    guard let kept = record.kept, opening.floor >= opening.first,
      try RecoveryRecord.kept(connection, upTo: opening.floor) != kept,
      Self.count(lost, upTo: opening.floor) == record.lost
    else { return [] }
    let uncovered = Continuation(
      archived: Position(rawValue: opening.first - 1), floor: Position(rawValue: opening.floor),
      isRecovered: true,
      lost: lost.filter { $0.lowerBound <= opening.floor }.map {
        Position(rawValue: $0.lowerBound)...Position(rawValue: $0.upperBound)
      }, isProven: true, isBound: true, hasRecordedDoubts: true, suspect: [], hasEnd: true,
      hasBeginning: true
    ).uncovered.map { $0.lowerBound.rawValue...$0.upperBound.rawValue }
    return uncovered.isEmpty ? [opening.first...opening.floor] : uncovered
  }

  private static func count(_ lost: [ClosedRange<Int64>], upTo floor: Int64) -> Int64 {
    lost.reduce(0) { sum, range in
      range.lowerBound > floor
        ? sum : sum + min(range.upperBound, floor) - range.lowerBound + 1
    }
  }
}
