extension Renewals {
  /// Keeps a login in memory, and tries until it can be written.
  ///
  /// - Parameters:
  ///   - login: The login.
  ///   - failure: Why it could not be written.
  ///   - isolation: The book.
  func hold(
    _ login: UnsavedLogin, _ failure: GatebookError,
    isolation: isolated (any Actor)? = #isolation
  ) {
    guard let account = login.attempt.account else { return }
    grants.unsavedLogins[account] = login
    let isHeld = { self.grants.unsavedLogins[account] != nil }
    grants.keepWriting(after: failure, while: isHeld) {
      () throws(GatebookError) in
      if let loggedIn = try await self.saveHeldLogin(of: account) {
        await self.logins.tell(loggedIn.news)
      }
    }
  }

  /// Writes the login that was kept in memory because the book could not be written.
  ///
  /// - Returns: The login; the first caller still has to tell its delegate. `nil` if none is kept,
  ///   or it is no longer wanted.
  /// - Throws: A storage failure if it still cannot; it is then kept in memory.
  func saveHeldLogin(of account: AccountID) async throws(GatebookError) -> LoggedIn? {
    if let saving = grants.savingLogins[account] {
      return try await saving.value.get().map { LoggedIn(context: $0.context) }
    }
    guard let login = grants.unsavedLogins[account] else { return nil }
    let saving = startTask { () async -> Result<LoggedIn?, GatebookError> in
      defer { self.grants.savingLogins[account] = nil }
      return await Result { () async throws(GatebookError) in
        try await self.write(login, of: account)
      }
    }
    grants.savingLogins[account] = saving
    return try await saving.value.get()
  }

  private func write(
    _ login: UnsavedLogin, of account: AccountID
  ) async throws(GatebookError) -> LoggedIn? {
    do throws(GatebookError) {
      if let outcome = login.outcome, outcome.partialRenewal != nil,
        let error = outcome.unfitForLogin
      {
        if try await !saveRotated(login, outcome.proof, error) { try await drop(login) }
        grants.unsavedLogins[account] = nil
        return nil
      }
      let context = try ledger.context(of: account)
      guard context.session != login.attempt.session else {
        // It was written, and only its reading had failed.
        grants.unsavedLogins[account] = nil
        return LoggedIn(context: context, news: [.response(context)])
      }
      guard try isWanted(login, of: account) else {
        grants.unsavedLogins[account]?.isWanted = false
        try await drop(login)
        grants.unsavedLogins[account] = nil
        return nil
      }
      let progress = try await waiting.settle(login.ending, login.attempt, login.options)
      grants.unsavedLogins[account] = nil
      guard case .finished(let loggedIn) = progress else { return nil }
      return loggedIn
    } catch {
      if !login.attempt.isInDoubt(after: error) { grants.unsavedLogins[account] = nil }
      throw error
    }
  }

  /// Discards the login that was kept in memory, because it is no longer wanted; a book that cannot
  /// be written records that later.
  func dropHeldLogin(of account: AccountID) async {
    grants.unsavedLogins[account]?.isWanted = false
    // What is being written by now may have been wanted when that began.
    _ = await grants.savingLogins[account]?.value
    _ = try? await saveHeldLogin(of: account)
  }

  /// Ends a login that is not wanted: what came in the place of what was saved is saved, for that
  /// is used up; all else is taken back.
  func drop(_ login: UnsavedLogin) async throws(GatebookError) {
    guard let outcome = login.outcome else { return }
    let error = GatebookError.cancelledByCaller
    let left = outbox.unclaimed(outcome, login.ending.conversation, of: login.attempt)
    guard try await !saveRotated(login, outcome.proof, error, leaving: left) else { return }
    await logins.record(error, login.attempt, login.ending.challenges, leaving: left)
  }

  /// Whether the account was not logged out, or in again, since the login began.
  func isWanted(
    _ login: UnsavedLogin, of account: AccountID
  ) throws(GatebookError) -> Bool {
    guard login.isWanted else { return false }
    for kind in [EventKind.logoutRequested, .loginSucceeded] {
      guard try ledger.events(kind, of: account, since: login.attempt.started).isEmpty else {
        return false
      }
    }
    return true
  }
}
