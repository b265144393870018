/// What servers granted for something that is good for one use, and the book could not take yet, as
/// on a full disk (rule 5).
final class Grants {
  let ledger: Ledger
  /// Logins with what is good for one use that the book could not take yet.
  var unsavedLogins: [AccountID: UnsavedLogin] = [:]
  /// Those of them that are being written.
  var savingLogins: [AccountID: Task<Result<LoggedIn?, GatebookError>, Never>] = [:]
  /// How many answers of servers are being written for the first time.
  private(set) var answersBeingWritten = 0
  /// Why the last of what is unsaved could not be written.
  var unwrittenReason: GatebookError?
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
    answersBeingWritten > 0 || !ledger.unsaved.isEmpty || !unsavedLogins.isEmpty
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

  /// Tries to write what is held in memory until that is done.
  ///
  /// - Parameters:
  ///   - failure: Why it could not be written.
  ///   - isolation: The book.
  ///   - isHeld: Whether it is still to be written.
  ///   - write: Writes it.
  func keepWriting(
    after failure: GatebookError, isolation: isolated (any Actor)? = #isolation,
    while isHeld: @escaping () -> Bool, _ write: @escaping () async throws(GatebookError) -> Void
  ) {
    unwrittenReason = failure
    // It keeps the book, also one that was closed: what the server has granted is nowhere else.
    _ = startTask {
      while isHeld() {
        await self.ledger.clock.pause(for: .seconds(1))
        do throws(GatebookError) {
          try await write()
        } catch {
          self.unwrittenReason = error
        }
      }
      await self.closeWhenSaved()
    }
  }

  private static func isForGood(_ code: FailureCode) -> Bool {
    [.storageDamaged, .storageNewer, .storageForked].contains(code)
  }
}

/// A login with what is good for one use that the server has answered, for as long as the book has
/// not taken what it granted.
///
/// It is kept until it can be written (rule 5), and is no session before (rule 7).
struct UnsavedLogin {
  let ending: AuthenticatorRun.Ending
  let attempt: LoginAttempt
  let options: LoginOptions
  /// What was sent: it is used up.
  let sent: any SessionProof
  /// Whether nobody has logged the account out since.
  var isWanted = true
  /// Keeps other processes from sending what is used up.
  let lock: AccountLock

  /// What the server granted.
  var outcome: Outcome? {
    guard case .success(.finished(let outcome)) = ending.result else { return nil }
    return outcome
  }
}
