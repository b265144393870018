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
    _ success: LoginSuccess, _ ending: AuthenticatorRun.Ending
  ) async throws(GatebookError) -> LoggedIn {
    try await uncancelled { () throws(GatebookError) in try await self.succeed(success, ending) }
  }

  private func succeed(
    _ success: LoginSuccess, _ ending: AuthenticatorRun.Ending
  ) async throws(GatebookError) -> LoggedIn {
    let attempt = success.attempt
    try await rejectOthers(success, ending)
    let account: AccountID
    do throws(GatebookError) {
      account = try await recordGranted(success)
    } catch {
      // Its caller reports the outcome. A grant that the book could not store for now is uncertain,
      // and no failure: its intent stays.
      if success.besides.kept == nil, !attempt.isInDoubt(after: error),
        let left = outbox.unclaimed(success.outcome, ending.conversation, of: attempt)
      {
        await record(error, attempt, ending.challenges, leaving: left)
      }
      throw error
    }
    let context = try ledger.context(of: account)
    let isKept = try ledger.hasSavedCredentials(account)
    return LoggedIn(
      context: context,
      news: [.response(context)] + (success.isSaved && isKept ? [.saved(context)] : []))
  }

  /// Records a success; the answer to an intent that is on disk must fit there too.
  private func recordGranted(_ success: LoginSuccess) async throws(GatebookError) -> AccountID {
    guard success.attempt.use > 0 else { return try await record(success) }
    return try await ledger.withReserve { () throws(GatebookError) in try await record(success) }
  }
}
