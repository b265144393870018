internal import GatebookCrypto
internal import GatebookEvents

/// A verified copy of a book that may lack the newest events yet, and what is folded of it.
struct PreparedArchive: Sendable {
  let draft: DraftFile
  /// The copy, folded and counted.
  var log: FoldedLog
  var tallies: [TallyKey: Int64]
  /// The first position that is not in an archive before.
  let first: Int64
  /// The tree over what the copy has.
  private let frontier: Frontier

  /// Folds a copy, and makes sure that the book it is of agrees with itself.
  init(_ draft: DraftFile) throws(GatebookError) {
    self.draft = draft
    let connection = try ReaderConnection.open(BookFile(path: draft.path))
    frontier = try LogHead.whole(connection).frontier
    first = try Baseline.read(connection)?.first ?? 1
    log = try FoldedLog(connection, of: nil)
    tallies = try log.foldRest(connection)
  }

  /// Brings the copy up to date with the book while nobody can write, and makes it an archive.
  ///
  /// - Parameter book: The book; its writer lock is held.
  /// - Returns: The state after its last event, and where the tree continues.
  /// - Throws: `storage` failures; `storage.damaged` for a copy that is not what the book is.
  mutating func finish(_ book: BookFile) throws(GatebookError) -> (BaselineState, Baseline) {
    let connection = try draft.catchUp(with: book, after: log.end.rawValue)
    try foldRest(connection)
    let head = try LogHead.whole(connection)
    let tail = VerifiedPart(
      of: draft.path, after: frontier.size, upTo: head.frontier.size, former: frontier)
    guard head.frontier.size == log.end.rawValue, tail.findings.problems.isEmpty,
      tail.frontier.root(SHA256()) == head.root
    else {
      throw .storageDamaged(tail.findings.problems.first ?? "The copy differs from the book.")
    }
    let state = try BaselineState(log.fold, tallies, connection)
    let former = try Baseline.read(connection)
    let baseline = Baseline(
      floor: log.end.rawValue, first: log.end.rawValue + 1, frontier: head.frontier,
      root: head.root, latest: try Baseline.latest(connection, after: former),
      state: state.root(SHA256()),
      isRecovered: false, isProven: former?.isProven ?? true)
    try ArchiveMark.set(connection, size: baseline.floor, root: head.root.bytes)
    return (state, baseline)
  }

  /// Folds and counts what came while the book was copied.
  private mutating func foldRest(_ connection: Connection) throws(GatebookError) {
    let former = try BaselineRows(connection).tallies()
    for (key, count) in try log.foldRest(connection) {
      tallies[key, default: 0] += count - (former[key] ?? 0)
    }
  }
}
