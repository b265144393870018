public import GatebookEvents

extension BookReader {
  /// All accounts in the order in which they were added.
  ///
  /// - Parameter now: Expiries, offline limits and ended renewals count as of this time, even if
  ///   nothing recorded them; `nil`: only the log counts.
  /// - Returns: One context for each account.
  /// - Throws: `storage` failures.
  public func accounts(at now: Moment? = nil) throws(GatebookError) -> [SessionContext] {
    try contexts(at: now) { (rows) throws(GatebookError) in try rows.accounts() }
  }

  /// The contexts of accounts; one is `uncertain` where the process is gone that renewed its
  /// session.
  private func contexts(
    at now: Moment?,
    _ find: (ProjectionRows) throws(GatebookError) -> [(id: AccountID, state: AccountState)]
  ) throws(GatebookError) -> [SessionContext] {
    let read = try inSnapshot { () throws(GatebookError) in
      let rows = ProjectionRows(connection)
      let current = try rows.roster().current
      return try find(rows).map { (id, state) throws(GatebookError) in
        (try context(id, state, isCurrent: id == current, at: now), state)
      }
    }
    return try read.map { (context, state) throws(GatebookError) in
      guard now != nil, context.state.isUsable, try hasOrphanedRenewal(context.account, state)
      else { return context }
      return context.doubted()
    }
  }

  /// The current account; `nil` when there is none.
  public func current() throws(GatebookError) -> AccountID? {
    try check()
    return try ProjectionRows(connection).roster().current
  }

  /// An account's context, now or after a position.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - position: The last event that counts; `nil` for all. At most 7 events are read for it; in
  ///     a book that an older version wrote last, and before a recovery, all of the account's.
  ///   - now: Expiries and offline limits count as of this time, even if nothing recorded them;
  ///     `nil`: only the log counts.
  /// - Returns: `nil` for an account that is unknown, or was unknown then.
  /// - Throws: `storage` failures; an unreadable account never counts as "no account".
  public func context(
    of account: AccountID, asOf position: Position? = nil, at now: Moment? = nil
  ) throws(GatebookError) -> SessionContext? {
    guard let position else {
      return try contexts(at: now) { (rows) throws(GatebookError) in
        try rows.account(account).map { [(account, $0)] } ?? []
      }.first
    }
    return try inSnapshot { () throws(GatebookError) in
      var (fold, start) = try fold(of: account, asOf: position)
      _ = try LogScan(connection).fold(
        into: &fold, after: start, upTo: position, of: account, knowing: &streamNames)
      guard let state = fold.state(of: account) else { return nil }
      return try context(
        account, state, isCurrent: try current(asOf: position) == account, at: now)
    }
  }

  /// The sessions in the order of their logins.
  ///
  /// - Parameters:
  ///   - account: Only this account's; `nil` for all.
  ///   - position: The last event that counts; `nil` for all.
  ///   - now: Expiries count as of this time, even if nothing recorded them; `nil`: only the log
  ///     counts.
  /// - Returns: One summary for each session that a login made.
  /// - Throws: `storage` failures.
  public func sessions(
    of account: AccountID? = nil, asOf position: Position? = nil, at now: Moment? = nil
  ) throws(GatebookError) -> [SessionSummary] {
    try inSnapshot { () throws(GatebookError) in
      let records: [(id: SessionID, state: SessionRecord)]
      let states: [AccountState]
      if let position {
        var log = try past(of: account, try isBehindBaseline(position))
        _ = try LogScan(connection).fold(
          into: &log.fold, after: log.end, upTo: position, of: account)
        let fold = log.fold
        records = fold.sessions.map { (id: $0.key, state: $0.value) }
        states = Array(fold.accounts.values)
      } else {
        let rows = ProjectionRows(connection)
        records = try rows.sessions()
        states = now == nil ? [] : try rows.accounts().map(\.state)
      }
      return SessionSummary.list(records, of: account.map { [$0] }, states, at: now)
    }
  }

  /// What the folds know of an account.
  package func state(of account: AccountID) throws(GatebookError) -> AccountState? {
    try check()
    return try ProjectionRows(connection).account(account)
  }

  /// Whether a process renews an account's session now, or is stopped while doing so: whether its
  /// lock is held; `nil` if that cannot be seen.
  package func isLocked(_ account: AccountID) throws(GatebookError) -> Bool? {
    guard let number = try connection.number(of: account) else { return nil }
    return AccountLock.isHeld(file, .account(number))
  }

  /// The process that renews an account's session, or is stopped while doing so; `nil` for none, or
  /// if that cannot be seen.
  package func renewer(of account: AccountID) throws(GatebookError) -> LockHolder? {
    try connection.number(of: account).flatMap { AccountLock.holder(file, .account($0)) }
  }

  /// The process that delivers an account's messages to servers, or is stopped while doing so;
  /// `nil` for none, or if that cannot be seen.
  package func deliverer(of account: AccountID) throws(GatebookError) -> LockHolder? {
    try connection.number(of: account).flatMap { AccountLock.holder(file, .outbox($0)) }
  }

  func context(
    _ id: AccountID, _ state: AccountState, isCurrent: Bool, at now: Moment?
  ) throws(GatebookError) -> SessionContext {
    try SessionContext(id, state, isCurrent: isCurrent, at: now) {
      (position) throws(GatebookError) in try personal(at: position, state)
    }
  }

  /// The personal facts of one event of an account.
  private func personal(
    at position: Position, _ state: AccountState
  ) throws(GatebookError) -> Personal<Facts> {
    guard let facts = try personalFacts(at: position) else {
      guard state.state != .ended(.erased) else { return .forgotten }
      // The encrypted facts of an event that a recovery did not find are lost.
      if let baseline = try Baseline.read(connection), try baseline.hasLost(position, connection) {
        return .lost
      }
      throw .storageDamaged("A stored state refers to an event that does not exist.")
    }
    return facts
  }

  /// What a fold up to a position begins with: what the book begins with, if that is before.
  private func past(
    of account: AccountID?, _ isBehind: Bool
  ) throws(GatebookError) -> FoldedLog {
    isBehind ? try FoldedLog(connection, of: account) : FoldedLog(of: account)
  }

  /// Whether a position is covered by the state that the book begins with.
  ///
  /// - Throws: `configuration.invalid` for a past that is in the archive or lost.
  private func isBehindBaseline(_ position: Position) throws(GatebookError) -> Bool {
    guard let baseline = try Baseline.read(connection) else { return false }
    guard position.rawValue < baseline.floor else { return true }
    guard baseline.first == 1 else { throw archived(before: baseline) }
    if let lost = try LostEvents(connection).first(), lost <= position.rawValue {
      throw GatebookError(
        .configurationInvalid,
        "The state at that time is unknown, because the event at position \(lost) is lost.",
        kept: "Nothing was changed.",
        remedy: "Choose a time before that event, or after the book was recovered.")
    }
    return false
  }

  /// The fold of an account's stream up to its last snapshot before a position, or of what the book
  /// begins with.
  private func fold(
    of account: AccountID, asOf position: Position
  ) throws(GatebookError) -> (fold: BookFold, end: Position) {
    // Snapshots come after the state that the book begins with: if there is one, nothing else is
    // read.
    guard try hasRollups(),
      let (state, end) = try ProjectionRows(connection).account(account, asOf: position)
    else {
      let past = try past(of: account, isBehindBaseline(position))
      return (past.fold, past.end)
    }
    var fold = BookFold()
    fold.put(state, of: account)
    return (fold, end)
  }

  private func current(asOf position: Position) throws(GatebookError) -> AccountID? {
    if try hasRollups() {
      if let roster = try ProjectionRows(connection).roster(asOf: position) {
        return roster.current
      }
      // No switch before it: looking for one would read the log back to its beginning. Only of what
      // a recovery has found are there no snapshots.
      guard let baseline = try Baseline.read(connection), position.rawValue < baseline.floor else {
        return try past(of: nil, isBehindBaseline(position)).fold.roster.current
      }
    }
    let rows = try connection.rows(
      """
      SELECT data FROM event
      WHERE kind = (SELECT number FROM kind WHERE name = 'account.switched') AND position <= ?1
      ORDER BY position DESC LIMIT 1
      """, position)
    guard let row = try rows.next() else {
      return try past(of: nil, isBehindBaseline(position)).fold.roster.current
    }
    return FactScanner(row.raw(0)).text("to").flatMap { AccountID($0) }
  }
}

extension BookReader {
  /// Whether an account's refresh token was to be sent by a process that is gone, and nobody has
  /// recorded that yet: its answer is lost.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - state: Its state as it was read.
  /// - Returns: Whether it is so; `false` where the lock cannot be seen.
  /// - Throws: `storage` failures.
  package func hasOrphanedRenewal(
    _ account: AccountID, _ state: AccountState
  ) throws(GatebookError) -> Bool {
    guard let intent = state.intent, intent.isOfToken, state.state.isUsable,
      state.state != .uncertain, try isLocked(account) == false
    else { return false }
    // Its end may have been recorded since that state was read.
    return try self.state(of: account)?.intent?.position == intent.position
  }
}
