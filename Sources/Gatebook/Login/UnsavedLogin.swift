/// A login with what is good for one use that the server granted and the book could not take.
///
/// It is kept until it can be written (rule 5), and is no session before (rule 7).
struct UnsavedLogin {
  let ending: AuthenticatorRun.Ending
  let attempt: LoginAttempt
  let options: LoginOptions
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
  func hold(_ login: UnsavedLogin) {
    guard let account = login.attempt.account else { return }
    unsavedLogins[account] = login
    // It keeps the book, also one that was closed: what the server has granted is nowhere else.
    Task {
      while unsavedLogins[account] != nil {
        try? await Task.sleep(for: .seconds(1))
        if let loggedIn = try? await saveHeldLogin(of: account) { await tell(loggedIn.news) }
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
      let context = try context(of: account)
      guard context.session != login.attempt.session else {
        // It was written, and only its reading had failed.
        unsavedLogins[account] = nil
        return LoggedIn(context: context, news: [.response(context)])
      }
      guard try isWanted(login, of: account) else {
        await dropHeldLogin(of: account)
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

  /// Forgets the login that was kept in memory, for it is not wanted any more; its tokens are taken
  /// back.
  func dropHeldLogin(of account: AccountID) async {
    guard let login = unsavedLogins.removeValue(forKey: account), let outcome = login.outcome else {
      return
    }
    await record(
      AuthenticatorRun.cancelled, login.attempt, login.ending.challenges,
      leaving: unclaimed(outcome, login.ending.conversation, of: login.attempt))
  }

  /// Whether nobody has logged the account out, or in anew, since the login began.
  private func isWanted(
    _ login: UnsavedLogin, of account: AccountID
  ) throws(GatebookError) -> Bool {
    for kind in [EventKind.logoutRequested, .loginSucceeded] {
      guard try events(kind, of: account, since: login.attempt.started).isEmpty else {
        return false
      }
    }
    return true
  }
}
