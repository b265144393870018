internal import GatebookCrypto
public import GatebookEvents

/// Where a book begins whose earlier events are in an archive or lost.
public struct Continuation: Hashable, Sendable {
  /// The last event that is not here, because it is archived or was forgotten; `.start` if there is
  /// none.
  public let archived: Position
  /// Whether the events up to `archived` are in no archive: the book is a copy from a fleet, which
  /// forgot them.
  ///
  /// The state that the copy begins with is then the fleet's word.
  public let isForgotten: Bool
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
    return Self.uncovered(
      besides: lost.map(\.numbers), after: archived.rawValue, upTo: floor.rawValue
    ).map(\.positions)
  }

  /// The events of a proven tree up to `floor` that are in a range of 256 with a lost or archived
  /// one.
  static func uncovered(
    besides lost: [ClosedRange<Int64>], after archived: Int64, upTo floor: Int64
  ) -> [ClosedRange<Int64>] {
    let missing = (archived > 0 ? [archived...archived] : []) + lost
    var runs = RangeSet(
      missing.map {
        (($0.lowerBound - 1) >> 8) << 8 + 1..<(($0.upperBound - 1) >> 8 + 1) << 8 + 1
      })
    runs.formIntersection(RangeSet(archived + 1..<floor + 1))
    // Lost events themselves are reported as lost.
    runs.subtract(RangeSet(lost.map { $0.lowerBound..<$0.upperBound + 1 }))
    return runs.ranges.map { $0.lowerBound...$0.upperBound - 1 }
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
    var broken = RangeSet<Int64>()
    if archived.rawValue & 0xFF != 0 {
      broken.insert(contentsOf: runs.lowerBound..<runs.lowerBound + 1)
    }
    for range in lost.map(\.numbers) where range.lowerBound <= size {
      let end = min(range.upperBound, size)
      broken.insert(contentsOf: (range.lowerBound - 1) >> 8..<(end - 1) >> 8 + 1)
    }
    guard !broken.isEmpty else { return .all }
    return broken.ranges.reduce(0) { $0 + $1.count } < runs.count ? .part : .nothing
  }

  /// How many events are lost.
  package var lostCount: Int64 {
    lost.reduce(0) { $0 + Int64($1.numbers.count) }
  }
}

extension ClosedRange<Int64> {
  /// The positions with these numbers.
  var positions: ClosedRange<Position> {
    Position(rawValue: lowerBound)...Position(rawValue: upperBound)
  }
}

extension ClosedRange<Position> {
  /// The numbers of these positions.
  var numbers: ClosedRange<Int64> { lowerBound.rawValue...upperBound.rawValue }
}

extension BookReader {
  /// Where the book begins.
  ///
  /// - Returns: `nil` for a book that holds all of its events.
  /// - Throws: `storage` failures.
  public func continuation() throws(GatebookError) -> Continuation? {
    try inSnapshot { () throws(GatebookError) in
      guard let baseline = try Baseline.read(connection) else { return nil }
      let record = try BookRecovered(behind: baseline, connection)
      return Continuation(
        archived: Position(rawValue: baseline.first - 1), isForgotten: forgets(before: baseline),
        floor: Position(rawValue: baseline.floor), isRecovered: baseline.isRecovered,
        lost: try LostEvents(connection).ranges().map(\.positions), isProven: baseline.isProven,
        isBound: record?.kept != nil, hasRecordedDoubts: record?.unknown != nil,
        suspect: (record?.suspect ?? []).map(\.positions), hasEnd: record?.hasEnd ?? true,
        hasBeginning: record?.hasBeginning ?? true)
    }
  }

  /// An account's state when its log begins; `nil` where that begins with the account, or begins
  /// before the state of a recovered book.
  package func baselineState(of account: AccountID) throws(GatebookError) -> AccountState? {
    guard let baseline = try Baseline.read(connection), baseline.first > baseline.floor else {
      return nil
    }
    return try BaselineRows(connection).state(of: account)
  }

  /// Whether a file is an archive of this book, and each event in it still in the book's own log.
  func hasAll(ofArchive path: String) throws(GatebookError) -> Bool {
    let archive = try BookReader.open(at: path)
    guard archive.id == id, try archive.isArchive() else { return false }
    let (size, root) = try archive.head()
    return try inSnapshot { () throws(GatebookError) in
      guard try Baseline.read(connection)?.first ?? 1 <= size else { return false }
      return try PartialTree(connection).root(of: size).map { Hex.encode($0.bytes) } == root
    }
  }

  /// Whether the book is an archive, which never changes again.
  public func isArchive() throws(GatebookError) -> Bool {
    try check()
    return try ArchiveMark.isSet(connection)
  }
}
