extension SessionBook {
  /// Rejects a login of another user than that of the account that it must be of.
  ///
  /// The session that the server has granted is ended there, once: what cannot be told to it now is
  /// kept for no later time, because that would belong to an account. Only tokens whose login began as
  /// a known account's are kept with that one until the server has heard.
  func rejectOthers(
    _ outcome: Outcome, _ attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, waiting: SessionID? = nil
  ) async throws(GatebookError) {
    guard let account = options.account,
      try reader.account(named: outcome.person.userParts) != account
    else { return }
    if outcome.proof is any TokenProof {
      let left = unclaimed(outcome, ending.conversation, of: attempt)
      let error = Self.other(isEnded: true)
      let isEnded = await record(
        error, attempt, ending.challenges, waiting: waiting, leaving: left)
      throw Self.other(isEnded: isEnded)
    }
    var conversation = ending.conversation
    let isEnded =
      switch await conversation.end(outcome.proof, outcome.jar) {
      // Without an answer there was nothing to send.
      case .done(let status): status != 0 || !outcome.proof.livesAtServer
      case .failed: false
      }
    let error = Self.other(isEnded: isEnded)
    await record(error, attempt, ending.challenges, waiting: waiting)
    throw error
  }

  private static func other(isEnded: Bool) -> GatebookError {
    GatebookError(
      .identityMismatch, "The server logged in another user than the account's.",
      kept: "Sessions are as before."
        + (isEnded ? "" : " The one of that user goes on at the server until it ends it."),
      remedy: "Log in as the account's user, or without saying whose login it must be.")
  }
}
