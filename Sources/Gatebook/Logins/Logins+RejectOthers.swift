extension Logins {
  /// Rejects a login of another user than that of the account that it must be of, and one that
  /// would give its account another one's label.
  ///
  /// The session that the server has granted is ended there, once: what cannot be told to it now is
  /// kept for no later time, because that would belong to an account. Only tokens whose login began
  /// as a known account's are kept with that one until the server has heard.
  func rejectOthers(
    _ success: LoginSuccess, _ ending: AuthenticatorRun.Ending
  ) async throws(GatebookError) {
    let (outcome, attempt) = (success.outcome, success.attempt)
    guard let reason = try reason(toReject: outcome.person, success.options) else { return }
    if outcome.proof.tokenBearing != nil {
      let left = outbox.unclaimed(outcome, ending.conversation, of: attempt)
      let isEnded = await record(
        reason, attempt, ending.challenges, waiting: success.besides.kept, leaving: left)
      throw Self.telling(reason, isEnded: isEnded)
    }
    var conversation = ending.conversation
    let isEnded =
      switch await conversation.end(outcome.proof, outcome.jar) {
      // Without an answer there was nothing to send.
      case .done(let status): status != 0 || !outcome.proof.livesAtServer
      case .failed: false
      }
    await record(reason, attempt, ending.challenges, waiting: success.besides.kept)
    throw Self.telling(reason, isEnded: isEnded)
  }

  private func reason(
    toReject person: Person, _ options: LoginOptions
  ) throws(GatebookError) -> GatebookError? {
    let known: AccountID?
    do throws(GatebookError) {
      known = try ledger.account(of: person)
    } catch  where error.code == .identityMismatch {
      return error
    }
    if let account = options.account, known != account {
      // Who was erased is known by no name any more.
      if try ledger.reader.isErased(account) { return .erased(account) }
      let state = try ledger.reader.state(of: account)
      let client = try ledger.reader.client(of: account)
      let isElsewhere =
        state?.server != person.server.description
        || state.map { Person.family(of: $0.method) } != person.family
        || !person.client.isEmpty && client != nil && client != person.client
      return isElsewhere ? Self.elsewhere : Self.other(known)
    }
    guard let label = options.label, try ledger.isLabel(label, ofOtherThan: known) else {
      return nil
    }
    return Ledger.labelTaken
  }

  private static func telling(_ reason: GatebookError, isEnded: Bool) -> GatebookError {
    reason.keeping(
      "No session was changed."
        + (isEnded ? "" : " The other user's session continues at the server until it ends there."))
  }

  private static let elsewhere = GatebookError(
    .identityMismatch, .account,
    remedy: "Log in with the account's own method and server, or without naming an account.")

  /// The failure of a login as another user, who may have an account too.
  private static func other(_ known: AccountID?) -> GatebookError {
    var error = GatebookError(
      .identityMismatch, FailureCode.anotherUser.asSentence,
      remedy:
        "Log in as the account's user, or without naming an account. On a login page, log out there "
        + "first.")
    error.otherAccount = known
    return error
  }
}
