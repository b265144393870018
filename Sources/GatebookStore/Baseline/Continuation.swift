internal import GatebookCrypto
public import GatebookEvents

/// Where a book begins whose earlier events are in an archive or lost.
public struct Continuation: Hashable, Sendable {
  /// The last archived event; `.start` if there is none.
  public let archived: Position
  /// The last event that is counted in the state that the book continues from.
  public let floor: Position
  /// Whether the book was recovered from a damaged one.
  public let isRecovered: Bool
  /// The positions after `archived` whose events are lost, in order.
  public let lost: [ClosedRange<Position>]
  /// Whether the tree continues unchanged after a recovery: earlier checkpoints stay valid.
  public let isProven: Bool
  /// Whether the recovery recorded what it kept, so that `uncovered` cannot be changed later; older
  /// versions did not.
  public let isBound: Bool
  /// Whether the recovery recorded its doubts, which the next three properties show; older versions
  /// did not.
  public let hasRecordedDoubts: Bool
  /// Ranges of events that were complete at the recovery but did not match their stored root, in
  /// order: one of each was rewritten, or its root was damaged.
  public let suspect: [ClosedRange<Position>]
  /// Whether the recovery knew where the log ended: otherwise later events may be missing without a
  /// trace.
  public let hasEnd: Bool
  /// Whether the state that the book had continued from was undamaged.
  public let hasBeginning: Bool

  /// The events up to `floor` that no proof or earlier checkpoint covers, in order: they are in a
  /// range of 256 with a lost or archived one.
  public var uncovered: [ClosedRange<Position>] {
    guard isRecovered, isProven else { return [] }
    var missing = lost.map { $0.lowerBound.rawValue...$0.upperBound.rawValue }
    if archived > .start { missing.insert(archived.rawValue...archived.rawValue, at: 0) }
    var runs: [ClosedRange<Int64>] = []
    for range in missing {
      let first = max(archived.rawValue, ((range.lowerBound - 1) >> 8) << 8) + 1
      let last = min(floor.rawValue, (((range.upperBound - 1) >> 8) + 1) << 8)
      guard first <= last else { continue }
      if let before = runs.last, before.upperBound + 1 >= first {
        runs[runs.count - 1] = before.lowerBound...max(before.upperBound, last)
      } else {
        runs.append(first...last)
      }
    }
    // Lost events themselves are reported as lost.
    var left: [ClosedRange<Int64>] = []
    for run in runs {
      var next = run.lowerBound
      for range in lost where range.upperBound.rawValue >= next {
        guard range.lowerBound.rawValue <= run.upperBound else { break }
        if range.lowerBound.rawValue > next { left.append(next...range.lowerBound.rawValue - 1) }
        next = range.upperBound.rawValue + 1
      }
      if next <= run.upperBound { left.append(next...run.upperBound) }
    }
    return left.map { Position(rawValue: $0.lowerBound)...Position(rawValue: $0.upperBound) }
  }

  /// How much of what is here a checkpoint covers.
  enum Coverage {
    case all
    case part
    case nothing
  }

  /// How much a checkpoint covers of the events that were there when it was made, and are here.
  ///
  /// - Parameter size: How many events it was made of.
  /// - Returns: `nothing` if each of them shares its run with a lost or an archived one.
  func coverage(ofCheckpoint size: Int64) -> Coverage {
    // A restarted tree holds each leaf that was kept, and only checkpoints since then are accepted.
    guard isRecovered, isProven, size > archived.rawValue else { return .all }
    // What the recovery kept is named by an event that such a checkpoint covers.
    guard size <= floor.rawValue else { return isBound || uncovered.isEmpty ? .all : .part }
    let runs = archived.rawValue >> 8...(size - 1) >> 8
    var broken: Int64 = archived.rawValue & 0xFF == 0 ? 0 : 1
    var next = runs.lowerBound + broken
    for range in lost where range.lowerBound.rawValue <= size {
      let first = max(next, (range.lowerBound.rawValue - 1) >> 8)
      let last = (min(range.upperBound.rawValue, size) - 1) >> 8
      guard first <= last else { continue }
      broken += last - first + 1
      next = last + 1
    }
    guard broken > 0 else { return .all }
    return broken < runs.upperBound - runs.lowerBound + 1 ? .part : .nothing
  }

  /// How many events are lost.
  package var lostCount: Int64 {
    lost.reduce(0) { $0 + $1.upperBound.rawValue - $1.lowerBound.rawValue + 1 }
  }
}

extension BookReader {
  /// Where the book begins.
  ///
  /// - Returns: `nil` for a book that holds all of its events.
  /// - Throws: `storage` failures.
  public func continuation() throws(GatebookError) -> Continuation? {
    try inSnapshot { () throws(GatebookError) in
      guard let opening = try Opening.read(connection) else { return nil }
      let record =
        opening.isRecovered ? try RecoveryRecord(behind: opening.floor, connection) : nil
      return Continuation(
        archived: Position(rawValue: opening.first - 1),
        floor: Position(rawValue: opening.floor), isRecovered: opening.isRecovered,
        lost: try LostEvents(connection).ranges().map {
          Position(rawValue: $0.lowerBound)...Position(rawValue: $0.upperBound)
        }, isProven: opening.isProven, isBound: record?.kept != nil,
        hasRecordedDoubts: record?.hasDoubts == true,
        suspect: (record?.suspect ?? []).map {
          Position(rawValue: $0.lowerBound)...Position(rawValue: $0.upperBound)
        }, hasEnd: record?.hasEnd ?? true, hasBeginning: record?.hasBeginning ?? true)
    }
  }

  /// An account's state when its log begins; `nil` where that begins with the account, or begins
  /// before the state of a recovered book.
  package func openingState(of account: AccountID) throws(GatebookError) -> AccountState? {
    guard let opening = try Opening.read(connection), opening.first > opening.floor else {
      return nil
    }
    return try OpeningRows(connection).state(of: account)
  }

  /// Whether a file is an archive of this book, and each event in it still in the book's own log.
  func hasAll(ofArchive path: String) throws(GatebookError) -> Bool {
    let archive = try BookReader.open(at: path)
    guard archive.id == id, try archive.isArchive() else { return false }
    let (size, root) = try archive.head()
    return try inSnapshot { () throws(GatebookError) in
      guard try Opening.read(connection)?.first ?? 1 <= size else { return false }
      return try PartialTree(connection).root(of: size).map { Hex.encode($0.bytes) } == root
    }
  }

  /// Whether the book is an archive, which never changes again.
  public func isArchive() throws(GatebookError) -> Bool {
    try check()
    return try ArchiveMark.isSet(connection)
  }
}
