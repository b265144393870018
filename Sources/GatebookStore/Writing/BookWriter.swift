internal import CSQLite
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookSystem

/// The writing side of one open book, used by one thread: lock, transaction, group, WAL checkpoint.
final class BookWriter {
  let file: BookFile
  let lock: BookLock
  let sealer: Sealer
  /// What the book was opened with.
  let keySource: any KeySource
  private let makeAppender: (Connection) -> LogAppender
  private var connection: Connection
  private var appender: LogAppender
  private let wait: Duration
  // What a WAL may hold before it is moved into the book: about 4 MiB.
  private static let walLimit: Int32 = 1000
  private let frames = WALFrames()
  var syncs = RecentSyncs()

  init(
    file: BookFile, lock: BookLock, connection: Connection, sealer: Sealer,
    keySource: any KeySource, wait: Duration,
    makeAppender: @escaping (Connection) -> LogAppender
  ) {
    self.file = file
    self.lock = lock
    self.connection = connection
    self.sealer = sealer
    self.keySource = keySource
    self.wait = wait
    self.makeAppender = makeAppender
    appender = makeAppender(connection)
    frames.watch(connection)
  }

  /// Commits an append if no lock has to be waited for and syncs are quick.
  ///
  /// - Returns: `nil` if nothing was done.
  func commitAtOnce(_ append: Append) -> Result<Receipt, GatebookError>? {
    let isWanted = !append.mayBeGivenUp || !Task.isCancelled
    guard syncs.areQuick, isWanted, lock.tryLockWriter(mayContinue: true) else { return nil }
    defer { lock.unlockWriter() }
    sqlite3_busy_timeout(connection.handle, 0)
    defer { sqlite3_busy_timeout(connection.handle, WriterConnection.patience) }
    do throws(GatebookError) {
      try connection.begin()
    } catch {
      return error.code == .storageBusy ? nil : .failure(error)
    }
    return Result { () throws(GatebookError) in try commitBegun([append])[0].get() }
  }

  /// Commits a group in one transaction; each member is answered for itself.
  func commit(_ group: [Append]) -> [Result<Receipt, GatebookError>] {
    // A group's task is nobody's: it is not cancelled.
    let mayBeGivenUp = group.allSatisfy(\.mayBeGivenUp)
    do throws(GatebookError) {
      try lock.lockWriter(wait: wait, mayBeGivenUp: mayBeGivenUp, mayContinue: true)
      defer { lock.unlockWriter() }
      return try commitLocked(group, mayBeGivenUp: mayBeGivenUp)
    } catch {
      return group.map { _ in .failure(error) }
    }
  }

  private func commitLocked(
    _ group: [Append], mayBeGivenUp: Bool
  ) throws(GatebookError) -> [Result<Receipt, GatebookError>] {
    do throws(GatebookError) {
      try begin(mayBeGivenUp: mayBeGivenUp)
    } catch {
      rollBack()
      throw error
    }
    return try commitBegun(group)
  }

  private func commitBegun(
    _ group: [Append]
  ) throws(GatebookError) -> [Result<Receipt, GatebookError>] {
    var answers: [Result<Receipt, GatebookError>] = []
    let former: Int64
    let begun = SystemTime.monotonic
    do throws(GatebookError) {
      let known = appender.size
      try appender.begin()
      former = appender.size
      // After a rollback it is not known what came since.
      if known > 0 { lock.turn.hear(ofOthers: former - known) }
      var hasNews = false
      for append in group {
        do throws(GatebookError) {
          let receipt = try appender.append(append)
          hasNews = hasNews || !receipt.isRepetition
          answers.append(.success(receipt))
        } catch  where Self.isRefusal(error.code) {
          answers.append(.failure(error))
        }
      }
      guard hasNews else {
        rollBack()
        return answers
      }
      try appender.finish()
    } catch {
      rollBack()
      throw error
    }
    do throws(GatebookError) {
      let synced = SystemTime.monotonic
      try connection.commit()
      let now = SystemTime.monotonic
      syncs.add(
        .microseconds(now - synced), of: .microseconds(now - begun), ofGroup: group.count)
      return answers
    } catch {
      return try answersAfterFailedCommit(answers, former: former, error)
    }
  }

  /// Begins a transaction.
  ///
  /// It waits for writers without the writer lock as SQLite would, unless its task is cancelled
  /// where it may be given up.
  private func begin(mayBeGivenUp: Bool) throws(GatebookError) {
    guard mayBeGivenUp else { return try connection.begin() }
    let glance: Int32 = 20
    sqlite3_busy_timeout(connection.handle, glance)
    defer { sqlite3_busy_timeout(connection.handle, WriterConnection.patience) }
    var waited: Int32 = 0
    while true {
      guard !Task.isCancelled else { throw .waitGivenUp }
      do throws(GatebookError) {
        return try connection.begin()
      } catch  where error.code == .storageBusy && waited < WriterConnection.patience {
        waited += glance
      }
    }
  }

  /// Whether an append was refused before anything of it was written: the others continue.
  private static func isRefusal(_ code: FailureCode) -> Bool {
    [.preconditionFailed, .storageIDReused, .limitExceeded].contains(code)
  }

  /// An error of `COMMIT` itself leaves open whether it happened: a new connection knows.
  ///
  /// Appends without events leave no mark in the log. They share the fate of the events in their
  /// group. A group without events is answered with the error: a change of the vault alone may be
  /// stored although it reported an error, but never the other way round.
  private func answersAfterFailedCommit(
    _ answers: [Result<Receipt, GatebookError>], former: Int64, _ failure: GatebookError
  ) throws(GatebookError) -> [Result<Receipt, GatebookError>] {
    rollBack()
    connection = try WriterConnection.open(file)
    try WriterConnection.configure(connection)
    appender = makeAppender(connection)
    frames.watch(connection)
    // Nobody else can have written: this process still holds the writer lock.
    guard try connection.integer("SELECT size FROM head WHERE one = 1") == former else {
      return answers
    }
    return answers.map { answer in
      // A repetition of what was in the book before needed no commit.
      guard case .success(let receipt) = answer,
        !receipt.isRepetition || receipt.last.rawValue > former
      else { return answer }
      return .failure(failure)
    }
  }

  private func rollBack() {
    if connection.isInTransaction { try? connection.execute("ROLLBACK") }
    appender.rollBack()
  }

  /// Whether the WAL has grown enough to be moved.
  var wantsCheckpoint: Bool { frames.count > Self.walLimit }

  /// Moves the WAL into the book when it has grown; others' commits wait meanwhile, readers do not.
  ///
  /// - Parameter isClosing: Also moves a small WAL, and cuts it: a copy of the file alone is whole.
  func checkpointWAL(isClosing: Bool = false) {
    // Most commands only read.
    if isClosing, file.hasNoWAL, !hasUnwiped { return }
    guard isClosing || wantsCheckpoint, locksForCheckpoint(isClosing) else { return }
    defer { lock.unlockWriter() }
    guard isClosing || hasUnwiped else {
      moveWAL(SQLITE_CHECKPOINT_PASSIVE)
      return
    }
    let wasUnwiped = hasUnwiped
    // The note of the wipe is in the WAL again, and the WAL must be empty in the end.
    guard moveWAL(SQLITE_CHECKPOINT_TRUNCATE), wasUnwiped, noteWiped(), isClosing else { return }
    moveWAL(SQLITE_CHECKPOINT_TRUNCATE)
  }

  private func locksForCheckpoint(_ isClosing: Bool) -> Bool {
    if lock.tryLockWriter(mayContinue: !isClosing) { return true }
    // If others always wait, the lock is never free, and the WAL would grow without end.
    guard !isClosing, frames.count > 4 * Self.walLimit else { return false }
    return (try? lock.lockWriter(wait: wait)) != nil
  }

  /// Moves the WAL into the book.
  ///
  /// What fails here is done by a later writer: the commits are on disk either way.
  ///
  /// - Parameters:
  ///   - mode: How, as SQLite names it.
  ///   - patience: How long readers are waited for, in milliseconds: others' commits wait
  ///     meanwhile.
  /// - Returns: Whether it was done.
  @discardableResult
  private func moveWAL(_ mode: Int32, patience: Int32 = 0) -> Bool {
    sqlite3_busy_timeout(connection.handle, patience)
    defer { sqlite3_busy_timeout(connection.handle, WriterConnection.patience) }
    let status = sqlite3_wal_checkpoint_v2(connection.handle, nil, mode, nil, nil)
    frames.count = 0
    return status == SQLITE_OK
  }

  /// Makes sure that no file of the book contains the destroyed keys of erased accounts.
  ///
  /// In the book itself their bytes are overwritten (`secure_delete`). The WAL keeps them until it
  /// is truncated; a reader of an older state delays that, and a later writer then does it.
  ///
  /// - Parameter isPatient: Whether the lock and readers are waited for, the latter half a second.
  /// - Returns: Whether none of them is left.
  /// - Throws: `storage.busy` when it waits for the lock, and not for long enough.
  func wipe(isPatient: Bool) throws(GatebookError) -> Bool {
    guard hasUnwiped else { return true }
    if isPatient {
      try lock.lockWriter(wait: wait)
    } else if !lock.tryLockWriter() {
      return false
    }
    defer { lock.unlockWriter() }
    return moveWAL(SQLITE_CHECKPOINT_TRUNCATE, patience: isPatient ? 500 : 0) && noteWiped()
  }

  private var hasUnwiped: Bool {
    (try? connection.integer("SELECT EXISTS (SELECT 1 FROM unwiped)")) == 1
  }

  /// Where this fails, what is wiped is wiped once more.
  private func noteWiped() -> Bool {
    let removal: Void? = try? connection.inTransaction { () throws(GatebookError) in
      try connection.execute("DELETE FROM unwiped")
    }
    return removal != nil
  }

  /// Runs work that others must not write during.
  func lockedForWriting<Value>(
    mayBeGivenUp: Bool = false, _ work: () throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    try lock.lockWriter(wait: wait, mayBeGivenUp: mayBeGivenUp)
    defer { lock.unlockWriter() }
    return try work()
  }

  /// Runs work in one transaction, and writes the head; the writer lock is held.
  func inTransaction<Value>(
    mayBeGivenUp: Bool = false,
    _ work: (Connection, LogAppender) throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    do throws(GatebookError) {
      try begin(mayBeGivenUp: mayBeGivenUp)
      try appender.begin()
      let value = try work(connection, appender)
      try appender.finish()
      try connection.commit()
      return value
    } catch {
      rollBack()
      throw error
    }
  }

  /// Says whether what is removed is overwritten, as what is in the vault must be.
  func overwrite(_ isWanted: Bool) throws(GatebookError) {
    try connection.execute("PRAGMA secure_delete=\(isWanted ? "ON" : "FAST")")
  }

  /// Gives the space of what was removed back to the file system; the writer lock is held.
  func vacuum() throws(GatebookError) {
    try connection.execute("VACUUM")
  }

  /// Folds the rest of the log, or of one account's stream, and replaces what was folded before.
  ///
  /// Rows that are right already stay: what came since was written with its events.
  func rebuild(from log: FoldedLog) throws(GatebookError) -> Position {
    try lockedForWriting(mayBeGivenUp: true) { () throws(GatebookError) in
      try inTransaction(mayBeGivenUp: true) { (connection, appender) throws(GatebookError) in
        // What the book begins with may have become another thing since the log was folded.
        let isSame = try Baseline.read(connection)?.floor ?? 0 == log.floor
        let version = try connection.integer("SELECT folds FROM head WHERE one = 1")
        if log.hasRightPresent, isSame, version == BookFold.version {
          // What this process has read of them may be older than a rebuild of another one.
          appender.projections.forget()
          return Position(rawValue: appender.size)
        }
        var log = log
        if !log.hasRightPast || !isSame { log = try FoldedLog(connection, of: log.account) }
        try log.foldRest(replacingPastOf: connection)
        try appender.replaceProjections(by: log.fold, of: log.account)
        return log.end
      }
    }
  }
}
