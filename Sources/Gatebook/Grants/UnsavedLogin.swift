/// A login with what is good for one use that the server has answered, for as long as the book has not taken
/// what it granted.
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

extension SessionBook {
  /// Keeps a login in memory, and tries until it can be written.
  ///
  /// - Parameters:
  ///   - login: The login.
  ///   - failure: Why it could not be written.
  func hold(_ login: UnsavedLogin, _ failure: GatebookError) {
    guard let account = login.attempt.account else { return }
    unsavedLogins[account] = login
    unwrittenReason = failure
    // It keeps the book, also one that was closed: what the server has granted is nowhere else.
    Task {
      while unsavedLogins[account] != nil {
        try? await Task.sleep(for: .seconds(1))
        do throws(GatebookError) {
          if let loggedIn = try await saveHeldLogin(of: account) { await tell(loggedIn.news) }
        } catch {
          unwrittenReason = error
        }
      }
      await closeWhenSaved()
    }
  }

  /// Writes the login that was kept in memory because the book could not be written.
  ///
  /// - Returns: The login; its delegate is still to be told by the first who asked for this. `nil` where
  ///   none is kept, or nobody wants it any more.
  /// - Throws: A storage failure when it still cannot; it is then kept on.
  func saveHeldLogin(of account: AccountID) async throws(GatebookError) -> LoggedIn? {
    if let saving = savingLogins[account] {
      return try await saving.value.get().map { LoggedIn(context: $0.context) }
    }
    guard let login = unsavedLogins[account] else { return nil }
    let saving = Task { () async -> Result<LoggedIn?, GatebookError> in
      defer { savingLogins[account] = nil }
      do throws(GatebookError) {
        return .success(try await write(login, of: account))
      } catch {
        return .failure(error)
      }
    }
    savingLogins[account] = saving
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
        unsavedLogins[account] = nil
        return nil
      }
      let context = try context(of: account)
      guard context.session != login.attempt.session else {
        // It was written, and only its reading had failed.
        unsavedLogins[account] = nil
        return LoggedIn(context: context, news: [.response(context)])
      }
      guard try isWanted(login, of: account) else {
        unsavedLogins[account]?.isWanted = false
        try await drop(login)
        unsavedLogins[account] = nil
        return nil
      }
      let progress = try await settle(login.ending, login.attempt, login.options)
      unsavedLogins[account] = nil
      guard case .finished(let loggedIn) = progress else { return nil }
      return loggedIn
    } catch {
      if !login.attempt.isInDoubt(after: error) { unsavedLogins[account] = nil }
      throw error
    }
  }

  /// Gives up the login that was kept in memory, for it is not wanted any more; a book that cannot be
  /// written hears of it later.
  func dropHeldLogin(of account: AccountID) async {
    unsavedLogins[account]?.isWanted = false
    // What is being written by now may have been wanted when that began.
    _ = await savingLogins[account]?.value
    _ = try? await saveHeldLogin(of: account)
  }

  /// Ends a login that is not wanted: what came in the place of what was saved is saved, for that is used
  /// up; all else is taken back.
  func drop(_ login: UnsavedLogin) async throws(GatebookError) {
    guard let outcome = login.outcome else { return }
    let error = AuthenticatorRun.cancelled
    let left = unclaimed(outcome, login.ending.conversation, of: login.attempt)
    guard try await !saveRotated(login, outcome.proof, error, leaving: left) else { return }
    await record(error, login.attempt, login.ending.challenges, leaving: left)
  }

  /// Whether nobody has logged the account out, or in anew, since the login began.
  func isWanted(
    _ login: UnsavedLogin, of account: AccountID
  ) throws(GatebookError) -> Bool {
    guard login.isWanted else { return false }
    for kind in [EventKind.logoutRequested, .loginSucceeded] {
      guard try events(kind, of: account, since: login.attempt.started).isEmpty else {
        return false
      }
    }
    return true
  }
}
