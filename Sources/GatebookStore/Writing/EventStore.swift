package import GatebookCrypto
package import GatebookEvents
internal import GatebookSystem

/// The book's one writer in this process: takes appends, commits them in groups, answers after
/// they are on disk.
///
/// With nobody waiting a small append commits at once, on the thread of its caller. Else it joins
/// the group that the next flush takes, so that many callers share one sync.
package actor EventStore {
  private struct Pending {
    let number: UInt64
    let append: Append
    let continuation: CheckedContinuation<Result<Receipt, GatebookError>, Never>
  }

  nonisolated let thread = StoreThread()
  private let writer: BookWriter
  private let forkGuard = ForkGuard()
  private var pending: [Pending] = []
  private var nextNumber: UInt64 = 0
  /// How many shared the last commit, and until when as many are waited for.
  private var lastGroup = 1
  private var gathersUntil: Int64 = 0
  private var isClosed = false

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  nonisolated let file: BookFile
  nonisolated let keys: BookKeys
  /// What the book was opened with; knows where the key was, and can remove it there.
  nonisolated let keySource: any KeySource
  /// Space for the answer that must fit.
  package nonisolated let reserve: Reserve

  init(_ writer: sending BookWriter) throws(GatebookError) {
    file = writer.file
    keys = writer.sealer.keys
    keySource = writer.keySource
    reserve = Reserve(writer.file)
    self.writer = writer
    try thread.start()
  }

  /// Records all of an append, durably, or nothing of it.
  ///
  /// - Returns: The positions of its events.
  /// - Throws: `precondition.failed`, `storage.idReused`, a `storage` failure, or `cancelled` when
  ///   the caller gave up before the append was taken; once it was taken the receipt comes.
  package nonisolated(nonsending) func append(
    _ append: Append
  ) async throws(GatebookError) -> Receipt {
    if let answer = commitAtOnce(append) { return try answer.get() }
    return try await appendInTurn(append)
  }

  /// Commits an append on the thread of its caller, where nobody and nothing makes it wait.
  ///
  /// - Returns: `nil` if nothing was done.
  private nonisolated func commitAtOnce(_ append: Append) -> Result<Receipt, GatebookError>? {
    guard append.parts <= Self.largestAtOnce else { return nil }
    let answer = thread.withItsTurn {
      assumeIsolated { store -> Result<Receipt, GatebookError>? in
        guard !store.isClosed, store.pending.isEmpty else { return nil }
        defer { store.checkpointIfWanted() }
        return store.writer.commitAtOnce(append)
      }
    }
    return answer ?? nil
  }

  /// A larger append takes longer than to wake a thread.
  private static let largestAtOnce = 8

  private func appendInTurn(_ append: Append) async throws(GatebookError) -> Receipt {
    try check()
    if pending.isEmpty, lastGroup == 1, thread.isIdle { return try commit([append])[0].get() }
    nextNumber += 1
    let number = nextNumber
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if pending.isEmpty {
          gathersUntil = SystemTime.monotonic + writer.syncs.patience.microseconds
          Task { self.flush() }
        }
        pending.append(Pending(number: number, append: append, continuation: continuation))
        if Task.isCancelled { cancel(number) }
      }
    } onCancel: {
      Task { await self.cancel(number) }
    }
    return try result.get()
  }

  /// Commits who waits.
  ///
  /// Those who shared the last commit were just answered and may be back in a moment: a group
  /// without them would cost a sync more.
  private func flush() {
    if pending.count < lastGroup, SystemTime.monotonic < gathersUntil {
      ThisProcess.yieldThread()
      Task { self.flush() }
      return
    }
    commitPending()
  }

  private func commitPending() {
    let group = pending
    pending = []
    guard !group.isEmpty else { return }
    for (member, result) in zip(group, commit(group.map(\.append))) {
      member.continuation.resume(returning: result)
    }
  }

  private func commit(_ group: [Append]) -> [Result<Receipt, GatebookError>] {
    defer { checkpointIfWanted() }
    lastGroup = group.count
    return writer.commit(group)
  }

  /// Moves the WAL into the book when it has grown: after this call, so that its callers have their
  /// answers first.
  private func checkpointIfWanted() {
    if writer.wantsCheckpoint { Task { self.checkpointWAL() } }
  }

  private func checkpointWAL() {
    guard !isClosed else { return }
    writer.checkpointWAL()
  }

  private func cancel(_ number: UInt64) {
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
    pending.remove(at: index).continuation.resume(
      returning: .failure(
        GatebookError(
          .cancelled, "The call was cancelled before the event was recorded.",
          remedy: "Nothing needs to be done.")))
  }

  /// Replaces the projections by a fold of the whole log.
  ///
  /// - Parameter log: The log folded from a snapshot, without a lock; the rest is folded under it.
  ///   Of one account's stream: only the rows of this account and its sessions are replaced.
  /// - Returns: The last event that the projections now hold.
  /// - Throws: `storage` failures; the projections are then as before.
  package func rebuild(from log: FoldedLog) throws(GatebookError) -> Position {
    try whileOpen { (writer) throws(GatebookError) in try writer.rebuild(from: log) }
  }

  /// Makes sure that no file of the book contains the destroyed keys of erased accounts.
  ///
  /// - Returns: Whether none of them is left; else a reader holds it up, and the next writer does
  ///   it.
  /// - Throws: `storage.busy` when others hold the book for too long.
  package func wipe() throws(GatebookError) -> Bool {
    try whileOpen { (writer) throws(GatebookError) in try writer.wipe(isPatient: true) }
  }

  /// Runs work of the book's care with the writer.
  func whileOpen<Value>(
    _ work: (BookWriter) throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    try check()
    return try work(writer)
  }

  /// Ends the writing: what was taken is answered, the WAL is moved into the book.
  package func close() {
    guard !isClosed, (try? forkGuard.check()) != nil else { return }
    commitPending()
    isClosed = true
    writer.checkpointWAL(isClosing: true)
  }

  private func check() throws(GatebookError) {
    try forkGuard.check()
    guard !isClosed else {
      throw GatebookError(
        .storageUnreadable, "The book was closed.", remedy: "Open the book again.")
    }
  }
}

extension EventStore {
  /// Opens a book for writing; makes it when there is none.
  ///
  /// - Parameters:
  ///   - path: The book's file.
  ///   - key: Where its master key lives.
  ///   - program: Who writes.
  ///   - clock: The time of events.
  ///   - random: Keys, nonces, ids.
  ///   - wait: How long to wait for other writers.
  ///   - process: The number of the process as its events name it.
  /// - Returns: The open store.
  /// - Throws: A `storage` or `key` failure; then nothing was changed.
  package static func open(
    at path: String, key: any KeySource, program: Program, clock: any BookClock,
    random: any RandomSource, wait: Duration, process: Int32 = ThisProcess.id
  ) async throws(GatebookError) -> EventStore {
    // Another writer's lock, a keyring that asks the person, scrypt: all of them block.
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let file = BookFile(path: path)
      try file.checkFileSystem()
      let content = try file.content()
      guard content != .foreign else {
        throw .noBook
      }
      let opening = BookOpening(
        file: file, isFresh: try file.create(), key: key,
        writer: Writer(program: program, process: Int64(process)), clock: clock,
        random: random, wait: wait, lock: try BookLock.open(file.lockPath))
      return try EventStore(opening.open())
    }
  }
}

extension BookReader {
  /// Takes the renewal lock of an account if nobody holds it.
  ///
  /// - Returns: The lock, released with its last reference; `nil` when somebody holds it.
  package func takeLock(of account: AccountID) throws(GatebookError) -> AccountLock? {
    guard let number = try connection.number(of: account) else { return nil }
    return try AccountLock.take(file, .account(number))
  }

  /// Takes the lock of what waits for an account's servers if nobody holds it.
  ///
  /// - Returns: The lock, released with its last reference; `nil` when somebody holds it.
  package func takeLock(ofOutbox account: AccountID) throws(GatebookError) -> AccountLock? {
    guard let number = try connection.number(of: account) else { return nil }
    return try AccountLock.take(file, .outbox(number))
  }

  /// Takes the lock of what a login attempt keeps if nobody holds it.
  ///
  /// - Returns: The lock, released with its last reference; `nil` when somebody holds it.
  package func takeLock(ofAttempt session: SessionID) throws(GatebookError) -> AccountLock? {
    try AccountLock.take(file, .attempt(session))
  }
}
