/// What a server granted to a login with what was saved.
struct GrantedLogin {
  let account: AccountID
  let outcome: Outcome
  let ending: AuthenticatorRun.Ending
  let attempt: LoginAttempt
  let options: LoginOptions
  /// What was sent: if it is good for one use, it is used up.
  let sent: any SessionProof
}

extension Renewals {
  /// Writes what a server granted, also where the caller is cancelled; a book that cannot take it
  /// now takes it later.
  ///
  /// - Parameters:
  ///   - login: The login.
  ///   - former: The session in whose place it logs in; `nil` where somebody asked for a login.
  ///   - lock: The account's.
  /// - Returns: A new session, of which the delegate is still to be told.
  /// - Throws: Why there is none, or not yet.
  func keep(
    _ login: GrantedLogin, inPlaceOf former: OpenSession?, _ lock: AccountLock
  ) async throws(GatebookError) -> LoggedIn {
    do throws(GatebookError) {
      let loggedIn = try await uncancelled { () throws(GatebookError) in
        try await self.write(login)
      }
      if let loggedIn { return loggedIn }
    } catch  where login.attempt.isInDoubt(after: error) {
      let isWanted = (try? isWanted(login)) ?? true
      hold(login, error, isWanted: isWanted, lock)
      if isWanted {
        throw error.keeping(
          "What the server granted is kept in memory, and saved as soon as the book can be written."
        )
      }
    }
    if let error = login.outcome.unfitForLogin, try isWanted(login) {
      // What the failure says of the next try must not be in the way of what it is.
      try? await recordWait(after: error, login.attempt, former)
      throw error.keeping("The new refresh token replaces the one that was sent.")
    }
    let context = try ledger.context(of: login.account)
    guard !context.state.isUsable else { throw Logins.underWay }
    throw Ledger.needsLogin(context)
  }

  private func hold(
    _ login: GrantedLogin, _ failure: GatebookError, isWanted: Bool, _ lock: AccountLock,
    isolation: isolated (any Actor)? = #isolation
  ) {
    let grant = HeldGrant(proof: login.outcome.proof, isWanted: isWanted, lock: lock) {
      () throws(GatebookError) in try await self.write(login)
    }
    grants.hold(grant, of: login.account, after: failure) { await self.logins.tell($0) }
  }

  /// Writes what a server granted.
  ///
  /// - Returns: The login; `nil` if it is not wanted any more, and if it brought only what
  ///   replaces what was sent.
  /// - Throws: A storage failure if the book cannot be written; why the login has failed.
  private func write(_ login: GrantedLogin) async throws(GatebookError) -> LoggedIn? {
    if let context = try? ledger.context(of: login.account),
      context.session == login.attempt.session
    {
      // It was written, and only its reading had failed.
      return LoggedIn(context: context, news: [.response(context)])
    }
    // What cannot be held comes first where the book cannot be read.
    let isHoldable = login.attempt.use > 0
    guard try isHoldable ? isWanted(login) : (try? isWanted(login)) ?? true else {
      ledger.held[login.account]?.isWanted = false
      try await drop(login)
      return nil
    }
    guard let error = login.outcome.unfitForLogin else {
      return try await settleFinished(login.ending, login.attempt, login.options)
    }
    if login.outcome.partialRenewal != nil, try await saveRotated(login, error) { return nil }
    guard ledger.held[login.account] == nil else {
      // While it was held, what was saved was removed or replaced.
      try await drop(login)
      return nil
    }
    // Its server has used up what was saved, and what came instead is not taken.
    var (ending, attempt) = (login.ending, login.attempt)
    attempt.failure = .terminal(.refused)
    ending.result = .failure(error)
    ending.unclaimed = login.outcome.proof
    return try await settleFinished(ending, attempt, login.options)
  }

  /// Ends a login that is not wanted: what came in the place of what was saved is saved, for that
  /// is used up; all else is taken back.
  private func drop(_ login: GrantedLogin) async throws(GatebookError) {
    let error = GatebookError.cancelledByCaller
    let left = outbox.unclaimed(login.outcome, login.ending.conversation, of: login.attempt)
    guard try await !saveRotated(login, error, leaving: left) else { return }
    await logins.record(error, login.attempt, login.ending.challenges, leaving: left)
  }

  /// Whether the account was not logged out, or in again, since the login began: the later action
  /// counts (rules 4 and 6).
  private func isWanted(_ login: GrantedLogin) throws(GatebookError) -> Bool {
    guard ledger.held[login.account]?.isWanted ?? true else { return false }
    for kind in [EventKind.logoutRequested, .loginSucceeded] {
      guard
        try ledger.events(kind, of: login.account, since: login.attempt.started).isEmpty
      else { return false }
    }
    return true
  }
}
