/// The intent of a login with what was saved: what is good for one use is in the log before it is
/// sent (rule 2).
extension Renewals {
  /// Records that a login with what was saved begins.
  ///
  /// The holder of the account's lock knows that a use without an end is orphaned: its answer is
  /// lost.
  ///
  /// - Throws: `credentials.refused` when what was saved counts as used up: then nothing is sent.
  func beginSilently(
    _ context: SessionContext, _ saved: StoredSession, _ person: Person, evenIfUsedUp: Bool
  ) async throws(GatebookError) -> LoginAttempt {
    let session = try ledger.newSession()
    var loaded = CredentialsLoaded(purpose: "login")
    var use: Int64 = 0
    if saved.proof.isSingleUse,
      let fingerprint = try ledger.fingerprint(of: saved.proof, for: context.account)
    {
      use = try await nextUse(
        of: fingerprint, context.account, lost: try await unansweredRenewals(with: saved, context),
        evenIfUsedUp: evenIfUsedUp)
      loaded.attempt = use
      loaded.fingerprint = fingerprint
      // The answer to an intent that is on disk must fit there too.
      try ledger.store.get().reserve.fill(replacing: saved.secretsOfRenewal())
    }
    let receipt = try await ledger.commit(
      Append([
        ProposedEvent(
          LoginStarted(
            isInteractive: false, method: type(of: saved.proof).method,
            server: saved.proof.origin.description), account: context.account, session: session,
          cause: .recorded(context.position),
          personal: LoginStarted.Personal(user: person.loginName).facts),
        ProposedEvent(
          loaded, account: context.account, session: session, cause: .proposed(0)),
      ]))
    return LoginAttempt(
      session: session, started: receipt.first, account: context.account, typed: person, use: use)
  }

  /// Which use of what is good for one comes next, where so many answers were lost to the session's
  /// renewals; a use that has no end gets one first.
  private func nextUse(
    of fingerprint: String, _ account: AccountID, lost: Int64, evenIfUsedUp: Bool
  ) async throws(GatebookError) -> Int64 {
    var unanswered = lost
    if let former = try ledger.reader.state(of: account)?.savedUse,
      former.fingerprint == fingerprint
    {
      if former.isOpen { try await closeOrphan(former, account) }
      guard !former.isUsedUp || evenIfUsedUp else { throw Self.usedUp() }
      unanswered = max(lost, former.isOpen ? former.attempt : former.unanswered)
    }
    guard unanswered < SavedUse.maximumUses || evenIfUsedUp else { throw Self.usedUp() }
    return unanswered + 1
  }

  /// How often the account's session has sent the token that was saved too, without an answer; a
  /// renewal that has no end gets one first: its process is gone, because its lock was free.
  private func unansweredRenewals(
    with saved: StoredSession, _ context: SessionContext
  ) async throws(GatebookError) -> Int64 {
    guard context.state.isUsable, let session = try ledger.openSession(of: context.account),
      saved.proof.isSpent(with: session.stored.proof)
    else { return 0 }
    guard let orphan = session.state.intent else { return session.state.unanswered }
    try await doubt(session, attempt: orphan.attempt, cause: orphan.position)
    return orphan.attempt
  }

  /// Takes a login that sent a session's own refresh token, and whose answer is lost, for a renewal
  /// of the session whose answer is lost.
  ///
  /// - Returns: Whether there was one: then the session is uncertain.
  func doubtSavedUse(of session: OpenSession) async throws(GatebookError) -> Bool {
    let account = session.context.account
    guard let use = try ledger.reader.state(of: account)?.savedUse,
      let fingerprint = try ledger.fingerprint(of: session.stored.proof, for: account)
    else { return false }
    let attempt = use.isOpen ? use.attempt : use.unanswered
    guard use.fingerprint == fingerprint, attempt > session.state.unanswered else { return false }
    if use.isOpen { try await closeOrphan(use, account) }
    try await doubt(session, attempt: attempt, cause: use.position)
    return true
  }

  /// Records that the answer of a login is lost: its process is gone.
  private func closeOrphan(
    _ orphan: SavedUse, _ account: AccountID
  ) async throws(GatebookError) {
    var failed = LoginFailed()
    failed.failure.code = .outcomeUnknown
    RenewalFailure.unanswered.fill(&failed, use: orphan.attempt, wasSent: true)
    try await ledger.commit(
      Append([
        ProposedEvent(
          failed, account: account, session: orphan.session, cause: .recorded(orphan.position))
      ]))
  }

  /// The refusal of a login that was asked for as a session is: by what proves it.
  static func savedRefused(_ refusal: GatebookError) -> GatebookError {
    var error = refusal
    error.message = "The server rejected the saved credentials: they may have been changed there."
    error.kept = "The account and its saved credentials are unchanged."
    error.remedy = "Log in with the current credentials, and save them."
    return error
  }

  /// Why the saved credentials are no longer sent.
  ///
  /// - Parameter refusal: What the server said to the second use; `nil` where nothing was sent.
  /// - Returns: `credentials.refused`.
  static func usedUp(_ refusal: GatebookError? = nil) -> GatebookError {
    let message =
      refusal == nil
      ? "The saved refresh token is valid for one use. It was already sent without an answer, so it "
        + "counts as used up."
      : "The server rejected the saved refresh token. A login whose answer was lost may have used it up."
    return GatebookError(
      .credentialsRefused, message, kept: "The account, its attributes and its history are kept.",
      remedy: "Log in.", status: refusal?.status, serverCode: refusal?.serverCode)
  }
}
