extension Ledger {
  /// Waits until nobody else renews an account's session, or logs it in with what was saved.
  ///
  /// A stopped process keeps its lock (rule 3): it may hold the only answer.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - isWanted: Asked before each look, and when the lock is there.
  /// - Returns: The lock; `nil` when it is not wanted any more.
  /// - Throws: `storage.busy` where somebody holds it for longer than we may wait; `cancelled`.
  func waitForLock(
    of account: AccountID, while isWanted: () throws(GatebookError) -> Bool
  ) async throws(GatebookError) -> AccountLock? {
    let deadline = clock.now().boot + wait
    return try await waitForLock { () throws(GatebookError) in
      try reader.takeLock(of: account)
    } while: { () throws(GatebookError) in
      try isWanted()
    } orThrow: {
      clock.now().boot < deadline ? nil : accountIsBusy(account)
    }
  }

  /// Waits until nobody else holds a lock.
  ///
  /// - Parameters:
  ///   - take: Takes it if nobody holds it.
  ///   - isWanted: Whether it still makes sense to wait.
  ///   - failure: Why the wait is over; `nil` as long as it may continue.
  /// - Returns: The lock; `nil` when it is not wanted any more.
  /// - Throws: That failure; `cancelled`; what the others throw.
  func waitForLock(
    _ take: () throws(GatebookError) -> AccountLock?,
    while isWanted: () throws(GatebookError) -> Bool = { true },
    orThrow failure: () -> GatebookError? = { nil }
  ) async throws(GatebookError) -> AccountLock? {
    while true {
      let lock = try take()
      // Asked with the lock at hand: nobody changes it from now on.
      guard try isWanted() else { return nil }
      if let lock { return lock }
      guard !Task.isCancelled else { throw GatebookError.cancelledByCaller }
      if let failure = failure() { throw failure }
      await clock.pause(for: .milliseconds(20))
    }
  }

  /// Waits for a login that may be replacing a refused session.
  ///
  /// - Returns: Whether it may have brought another.
  /// - Throws: `storage.busy` where it takes longer than we may wait; `cancelled`.
  func waitForLogIn(of account: AccountID) async throws(GatebookError) -> Bool {
    guard try mayBeLoggingIn(account) else { return false }
    do throws(GatebookError) {
      _ = try await waitForLock(of: account) { () throws(GatebookError) in
        try mayBeLoggingIn(account)
      }
      return true
    } catch  where error.code == .storageReadOnly {
      // Where nothing can be written, nobody logs in.
      return false
    }
  }

  private func mayBeLoggingIn(_ account: AccountID) throws(GatebookError) -> Bool {
    if case .ended = try recordedContext(of: account).state { return false }
    return try hasSavedLogin(account)
  }

  /// The failure of who waited in vain; it names the process that holds the lock, where its intent
  /// does.
  private func accountIsBusy(_ account: AccountID) -> GatebookError {
    let intent = try? reader.state(of: account)?.intent
    let holder = intent.flatMap { try? reader.event(at: $0.position)?.author }
    return GatebookError(
      .storageBusy,
      "\(holder.map { "Another process (\($0))" } ?? "Another process") has been renewing this session "
        + "or logging the account in for longer than the time to wait.",
      kept: "The account, its session and its saved credentials are kept.",
      remedy: "Try again. If that process is stopped, resume it or end it."
    ).with(\.setting, "wait")
  }
}
