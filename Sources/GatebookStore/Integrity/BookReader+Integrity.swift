internal import GatebookCrypto
public import GatebookEvents

extension BookReader {
  /// A signed checkpoint of the book as it is now: its size and root, to be kept elsewhere.
  ///
  /// It signs the size and root in the book's head. It counts the events, but does not check them
  /// as `BookVerifier` does.
  ///
  /// - Returns: A C2SP signed note, with its last line feed.
  /// - Throws: `key.missing` if the book was opened without its key. `storage.damaged` if the head
  ///   does not agree with itself, the log does not have all counted events, or the book names a
  ///   wrong checkpoint key.
  public func checkpoint() throws(GatebookError) -> String {
    let sealer = try usableSealer
    guard sealer.keys.signing.publicKey == row.checkpointKey else {
      throw .storageDamaged(
        "The checkpoint key that the book names is not its own: it was changed.")
    }
    return try inSnapshot { () throws(GatebookError) in
      let head = try LogHead.whole(connection)
      try checkEventCount()
      return Checkpoint.note(size: head.frontier.size, root: head.root, of: id, sealer.keys.signing)
    }
  }

  /// A signed checkpoint of the first events, as it would have been made then: for measurements.
  ///
  /// - Parameter size: How many events it covers.
  /// - Returns: A C2SP signed note.
  /// - Throws: `key.missing` if the book was opened without its key, `storage.damaged` if a stored
  ///   part of the tree is missing.
  package func checkpoint(ofFirst size: Int64) throws(GatebookError) -> String {
    let keys = try usableSealer.keys
    guard let root = try PartialTree(connection).root(of: size) else {
      throw .storageDamaged("A stored root of the first \(size) events is missing.")
    }
    return Checkpoint.note(size: size, root: root, of: id, keys.signing)
  }

  /// The events, of some, that do not agree with their own hashes any more.
  ///
  /// Only `BookVerifier` finds an event whose hash was changed, too.
  ///
  /// - Parameter positions: Their positions; missing ones are left out.
  /// - Returns: The positions of those that were changed, in the order given.
  /// - Throws: `storage` failures.
  package func changedEvents(among positions: [Position]) throws(GatebookError) -> [Position] {
    try inSnapshot { () throws(GatebookError) in
      var leaves = EventLeaves(connection)
      var tables = ["event"]
      if try connection.has(table: "opening_event") { tables.append("opening_event") }
      let rows = try tables.map { (table) throws(GatebookError) in
        try connection.statement(
          "SELECT \(EventLeaves.columns) FROM \(table) WHERE position = ?1")
      }
      var changed: [Position] = []
      for position in positions {
        for row in rows {
          row.bind(1, position.rawValue)
          defer { row.reset() }
          guard try row.step() else { continue }
          if try !leaves.isRight(row) { changed.append(position) }
          break
        }
      }
      return changed
    }
  }

  /// Computes the states from the log in memory and compares them with the stored ones.
  ///
  /// - Parameter account: Only the states of this account and its sessions; `nil` for all states,
  ///   including the current account.
  /// - Returns: The verdict; a difference is not an error.
  /// - Throws: `storage` failures.
  public func checkProjections(of account: AccountID? = nil) throws(GatebookError) -> RebuildVerdict
  {
    try inSnapshot { () throws(GatebookError) in
      let (log, past) = try foldAndCompare(account)
      var problems: [String] = []
      let stored = try ProjectionRows(connection).stored(of: account)
      for (row, owner) in stored where row.part == BaselineState.session {
        let record = SessionID(bytes: row.name).flatMap { log.fold.record(of: $0) }
        guard let record, record.account.bytes != owner else { continue }
        problems.append("The stored state of session \(Hex.encode(row.name)) differs from the log.")
      }
      let rows = Self.named(stored.map(\.row))
      let folded = Self.named(
        BaselineState.projections(of: log.fold).filter {
          account == nil || $0.part != BaselineState.roster
        })
      for (name, state) in folded where rows[name] != state {
        problems.append("The stored state of \(name) differs from the log.")
      }
      for name in rows.keys where folded[name] == nil {
        problems.append("The stored states contain \(name), which is not in the log.")
      }
      return RebuildVerdict(
        position: log.end, problems: Array((problems.sorted() + past).prefix(20)))
    }
  }

  /// Refuses a log that has not all the events that the book's head counts: what is folded of it
  /// would not be what happened.
  ///
  /// Cheap: no hash is computed, as `BookVerifier` does.
  ///
  /// - Throws: `storage.damaged` for such a log; other `storage` failures.
  package func checkEventCount() throws(GatebookError) {
    try inSnapshot { () throws(GatebookError) in
      let (size, floor) = (try head().size, try Baseline.read(connection)?.floor ?? 0)
      let rows = try connection.rows(
        "SELECT count(*), max(position) FROM event WHERE position > ?1", floor)
      guard let row = try rows.next() else { return }
      let lost = try LostEvents(connection).ranges().filter { $0.lowerBound > floor }
      let end = max(row.isNull(1) ? floor : row.integer(1), lost.last?.upperBound ?? 0)
      guard row.integer(0) + lost.reduce(0, { $0 + Int64($1.count) }) == size - floor, end == size
      else {
        throw .storageDamaged(
          "The log is damaged: it does not have all \(size) events that the book counted."
        )
      }
    }
  }

  /// The log folded up to the present snapshot, for a rebuild that then takes the rest.
  ///
  /// - Parameter account: Only this account's stream; `nil` for the whole log.
  /// - Returns: The fold, the last event in it, and whether the rows that the book has are right.
  /// - Throws: `storage` failures.
  package func foldLog(of account: AccountID? = nil) throws(GatebookError) -> FoldedLog {
    try inSnapshot { () throws(GatebookError) in
      var log = try foldAndCompare(account).log
      if account == nil, log.hasRightPast {
        log.hasRightPresent = try ProjectionRows(connection).areRows(of: log.fold)
      }
      return log
    }
  }

  /// Folds the log and compares the rows of the past on the way, which are too many to be held.
  private func foldAndCompare(
    _ account: AccountID?
  ) throws(GatebookError) -> (log: FoldedLog, problems: [String]) {
    var log = try FoldedLog(connection, of: account)
    // A book that nobody has brought up to date yet has no such rows, or an older version's.
    let comparison = try hasRollups() ? RollupComparison(connection, of: account) : nil
    let rollup = try comparison.map { (rows) throws(GatebookError) in
      try Rollup(rows, connection, of: account)
    }
    log.end = try LogScan(connection).fold(into: &log.fold, after: log.end, of: account, rollup)
    if let rollup { try comparison?.finish(rollup.tallies, of: account) }
    let problems = comparison?.problems ?? []
    log.hasRightPast = comparison != nil && problems.isEmpty
    return (log, problems)
  }

  private static func named(_ rows: [BaselineState.Row]) -> [String: [UInt8]] {
    let named = rows.map { row in
      (row.name.isEmpty ? "the \(row.part)" : "\(row.part) \(Hex.encode(row.name))", row.state)
    }
    return Dictionary(named) { $1 }
  }
}
