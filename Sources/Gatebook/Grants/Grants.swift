/// What servers granted for something that is good for one use, and the book could not take yet, as
/// on a full disk (rule 5).
final class Grants {
  let ledger: Ledger
  /// What is held and being written.
  private(set) var saving: [AccountID: Task<Result<LoggedIn?, GatebookError>, Never>] = [:]
  /// How many answers of servers are being written for the first time.
  private(set) var answersBeingWritten = 0
  /// Why the last of what is unsaved could not be written.
  private var unwrittenReason: GatebookError?
  /// Whether only unsaved data still needs the file.
  var isDone = false

  init(_ ledger: Ledger) {
    self.ledger = ledger
  }

  /// An answer of a server begins to be written: until that has ended, a program that ends loses
  /// it.
  func beginAnswer() { answersBeingWritten += 1 }

  func endAnswer(isolation: isolated (any Actor)? = #isolation) {
    answersBeingWritten -= 1
    if isDone, answersBeingWritten == 0 { _ = startTask { await self.closeWhenSaved() } }
  }

  /// Closes the file once every grant of a server is on the disk.
  func closeWhenSaved() async {
    guard isDone, !hasUnwrittenGrants, case .success(let store) = ledger.store else { return }
    await store.close()
  }

  /// Whether something that a server granted is only in memory: a program that ends now loses it,
  /// and perhaps the session.
  var hasUnwrittenGrants: Bool {
    answersBeingWritten > 0 || !ledger.held.isEmpty
  }

  /// Waits until everything that servers granted is on disk, for programs that are about to end.
  func waitUntilWritten(
    _ tell: @escaping @Sendable (GatebookError) async -> Void = { _ in }
  ) async throws(GatebookError) {
    let waiting = startTask { () -> GatebookError? in
      var told: GatebookError?
      while self.hasUnwrittenGrants {
        if let reason = self.unwrittenReason {
          if Self.isForGood(reason.code) { return reason }
          if told?.code != reason.code { await tell(reason) }
          told = reason
        }
        await self.ledger.clock.pause(for: .milliseconds(50))
      }
      return nil
    }
    if let failure = await waiting.value { throw failure }
  }

  /// Keeps a grant in memory, and tries until it can be written.
  ///
  /// - Parameters:
  ///   - grant: The grant.
  ///   - account: Whose.
  ///   - failure: Why it could not be written.
  ///   - isolation: The book.
  ///   - tell: Tells the delegate of a login.
  func hold(
    _ grant: HeldGrant, of account: AccountID, after failure: GatebookError,
    isolation: isolated (any Actor)? = #isolation,
    telling tell: @escaping ([LoginNews]) async -> Void
  ) {
    ledger.held[account] = grant
    unwrittenReason = failure
    // It keeps the book, also one that was closed: what the server has granted is nowhere else.
    _ = startTask {
      while self.ledger.held[account] != nil {
        await self.ledger.clock.pause(for: .seconds(1))
        do throws(GatebookError) {
          if let loggedIn = try await self.save(of: account) { await tell(loggedIn.news) }
        } catch {
          self.unwrittenReason = error
        }
      }
      await self.closeWhenSaved()
    }
  }

  /// Writes what an account's server granted and the book could not take before.
  ///
  /// - Returns: The login that it was; the first caller still has to tell its delegate. `nil` if
  ///   none is held, or it is no longer wanted.
  /// - Throws: A storage failure if it still cannot; it is then still held.
  func save(of account: AccountID) async throws(GatebookError) -> LoggedIn? {
    if let earlier = saving[account] {
      switch await earlier.value {
      case .success(let loggedIn): return loggedIn.map { LoggedIn(context: $0.context) }
      // The grant was given up, or the book has been waited for.
      case .failure(let error) where ledger.held[account] == nil || error.code == .storageBusy:
        throw error
      // It may have begun before the book could be written again.
      case .failure: break
      }
    }
    if let saving = saving[account] {
      return try await saving.value.get().map { LoggedIn(context: $0.context) }
    }
    guard let grant = ledger.held[account] else { return nil }
    let task = startTask { () async -> Result<LoggedIn?, GatebookError> in
      defer { self.saving[account] = nil }
      let written = await Result(of: grant.write)
      switch written {
      // Whatever keeps a renewal from the disk, it serves from memory.
      case .failure(let error) where grant.renewal != nil || error.code.isOfStorage: break
      case .success, .failure: self.ledger.held[account] = nil
      }
      return written
    }
    saving[account] = task
    return try await task.value.get()
  }

  /// Whether a login is held.
  func holdsLogin(of account: AccountID) -> Bool {
    ledger.held[account].map { $0.renewal == nil } ?? false
  }

  /// Discards a login that is held, because it is no longer wanted; a book that cannot be written
  /// records that later.
  func dropLogin(of account: AccountID) async {
    guard holdsLogin(of: account) else { return }
    ledger.held[account]?.isWanted = false
    // What is being written by now may have been wanted when that began.
    _ = await saving[account]?.value
    _ = try? await save(of: account)
  }

  private static func isForGood(_ code: FailureCode) -> Bool {
    [.storageDamaged, .storageNewer, .storageForked].contains(code)
  }
}
