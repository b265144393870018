extension Logins {
  /// A login's failure: who carries requests supposes a session that is kept, and this one had
  /// none.
  func failure(_ error: GatebookError) -> GatebookError {
    guard error.kept == GatebookError.sessionKept else { return error }
    // A book that cannot be read now may hold sessions.
    let isEmpty = (try? ledger.reader.accounts())?.isEmpty ?? false
    return error.keeping(isEmpty ? "No account was made." : "No session was changed.")
  }

  /// Records a success in a task of its own: a caller that was cancelled must not lose what the
  /// server has granted.
  ///
  /// - Returns: The login, of which the delegate is still to be told.
  func keepGranted(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, besides: LoginAdditions = LoginAdditions()
  ) async throws(GatebookError) -> LoggedIn {
    try await uncancelled { () throws(GatebookError) in
      try await self.succeed(outcome, attempt, ending, options, besides)
    }
  }

  private func succeed(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, _ besides: LoginAdditions
  ) async throws(GatebookError) -> LoggedIn {
    try await rejectOthers(outcome, attempt, ending, options, waiting: besides.kept)
    let account: AccountID
    do throws(GatebookError) {
      account = try await recordGranted(outcome, attempt, ending, options, besides)
    } catch {
      // Its caller reports the outcome. A grant that the book could not store for now is uncertain,
      // and no failure: its intent stays.
      if besides.kept == nil, !attempt.isInDoubt(after: error),
        let left = outbox.unclaimed(outcome, ending.conversation, of: attempt)
      {
        await record(error, attempt, ending.challenges, leaving: left)
      }
      throw error
    }
    let context = try ledger.context(of: account)
    let isSaved = options.saveCredentials && outcome.saved.canLogInAgain
    let isKept = try ledger.hasSavedCredentials(account)
    return LoggedIn(
      context: context, news: [.response(context)] + (isSaved && isKept ? [.saved(context)] : []))
  }

  /// Records a success; the answer to an intent that is on disk must fit there too.
  private func recordGranted(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, _ besides: LoginAdditions
  ) async throws(GatebookError) -> AccountID {
    do throws(GatebookError) {
      return try await record(
        outcome, attempt, ending.challenges, options, accepted: ending.conversation.accepted,
        given: ending.conversation.given, besides: besides)
    } catch  where error.code == .storageFull && attempt.use > 0 {
      guard try ledger.store.get().reserve.release() else { throw error }
      return try await record(
        outcome, attempt, ending.challenges, options, accepted: ending.conversation.accepted,
        given: ending.conversation.given, besides: besides)
    }
  }
}
