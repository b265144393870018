extension SessionBook {
  /// Rejects a login of another user than that of the account that it must be of.
  ///
  /// The session that the server has granted is ended there, once: what cannot be told to it now is
  /// kept for no later time, because that would belong to an account.
  func rejectOthers(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, waiting: SessionID? = nil
  ) async throws(GatebookError) {
    guard let account = options.account,
      try reader.account(named: outcome.person.userParts) != account
    else { return }
    var conversation = ending.conversation
    let isEnded =
      switch await conversation.end(outcome.proof, outcome.jar) {
      // Without an answer there was nothing to send.
      case .done(let status): status != 0 || !outcome.proof.livesAtServer
      case .failed: false
      }
    let error = GatebookError(
      .identityMismatch, "The server logged in another user than the account's.",
      kept: "Sessions are as before."
        + (isEnded ? "" : " The one of that user goes on at the server until it ends it."),
      remedy: "Log in as the account's user, or without saying whose login it must be.")
    await record(error, attempt, ending.challenges, waiting: waiting)
    throw error
  }
}
