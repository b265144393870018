extension SessionBook {
  /// Renews each session in the last fifth of its access token's lifetime, although nobody uses it.
  ///
  /// It also delivers what waits for servers. It returns when the caller is cancelled or the book
  /// is closed. For programs that keep a book open for others, such as `gatebook agent`. All
  /// programs together renew a session once. After a failure the next try waits as long as
  /// after any other renewal. Only what the session itself keeps renews it: saved credentials do
  /// not log in, and nobody is asked. Logins and renewals by other programs are noticed within a
  /// second.
  ///
  /// ```swift
  /// let renewing = Task { await book.keepSessionsRenewed() }
  /// ```
  public func keepSessionsRenewed() async {
    outbox.isKept = true
    var commits = CommitWatch()
    var next = ledger.clock.now().boot
    while !Task.isCancelled, !renewals.isClosing, !grants.isDone {
      let isNew = (try? commits.look(ledger.reader)) ?? false
      if isNew { outbox.keepDelivering() }
      let now = ledger.clock.now().boot
      if isNew || now >= next {
        // A book that cannot be read now is looked at again.
        next = now + ((try? renewals.renewAhead()) ?? .seconds(1))
      }
      await ledger.clock.pause(for: .seconds(1))
    }
    outbox.isKept = false
  }

  /// Logs an account in again with its saved credentials, without asking anybody.
  ///
  /// It uses only credentials that the user allowed to save with `saveCredentials`, also after a
  /// logout. Before Gatebook sends a credential that is valid for one use, such as a refresh token,
  /// it records its fingerprint in the log. If the answer was lost, it sends the credential once
  /// more, and a third time only with `evenIfUsedUp`.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - evenIfUsedUp: Whether to send a credential once more that counts as used up, as in
  ///     ``renewNow(_:evenIfUsedUp:)``.
  /// - Returns: Its context, with a new session.
  /// - Throws: `session.refused` if there are no saved credentials, or if they cannot log in
  ///   automatically; `credentials.refused`, also if they count as used up; otherwise as
  ///   ``logIn(_:options:browser:)``. A refusal does not change the saved credentials.
  @discardableResult
  public func logInAgain(
    _ account: AccountID, evenIfUsedUp: Bool = false
  ) async throws(GatebookError) -> SessionContext {
    let loggedIn = try await logins.tellingFailure { () throws(GatebookError) in
      try await renewals.logInAlone(account, evenIfUsedUp: evenIfUsedUp)
    }
    return await logins.told(loggedIn)
  }

  /// Reads the user's attributes again, which also asks the server whether the session is valid.
  ///
  /// Source: Liferay Screens, `refreshUserAttributes`, `relogin`.
  ///
  /// - Parameter account: The account.
  /// - Returns: Its context; what changed is in the event `attributes.changed`.
  /// - Throws: `session.refused` when the server rejected the session; otherwise why it did not
  ///   answer, with session and attributes unchanged.
  @discardableResult
  public func refreshAttributes(
    of account: AccountID
  ) async throws(GatebookError) -> SessionContext {
    try await renewals.requireVerified(try await renewals.requireSession(of: account))
    return try ledger.context(of: account)
  }

  /// The last event of an account.
  package func lastPosition(of account: AccountID) throws(GatebookError) -> Position {
    try ledger.reader.state(of: account)?.position ?? .start
  }

  /// How an account's last renewal failed if time alone does not help: a wrong setting, or a saved
  /// password that is not sent again.
  ///
  /// - Parameter account: The account.
  /// - Returns: The failure, with what the server answered; `nil` for another failure, and for
  ///   none.
  /// - Throws: Storage failures.
  package func refusedRenewal(of account: AccountID) throws(GatebookError) -> GatebookError? {
    try renewals.refusedRenewal(of: account)
  }

  /// What an account's renewals brought since an event.
  package func renewals(
    of account: AccountID, since start: Position
  ) throws(GatebookError) -> RenewalNews {
    var news = RenewalNews()
    if let end = try ledger.reader.state(of: account)?.renewalEnd, end.position > start {
      news.isEnded = try ledger.context(of: account).state.isUsable
    }
    guard let last = try ledger.events(.refreshSucceeded, of: account, since: start).last,
      let grant = last.facts(of: RefreshSucceeded.self)?.grant
    else { return news }
    if grant.missing != nil { news.missingScopes = try ledger.missingScopes(of: account) }
    // One with a new key is judged when its keys are there.
    let checked = try ledger.events(.sessionVerified, of: account, since: last.position)
      .compactMap { $0.facts(of: SessionVerified.self)?.idToken }
    let refusal = checked.last ?? grant.idToken
    // A server that makes one mistake makes it at every renewal: the log has each, a person hears
    // of the first.
    if try refusal != refusedIDToken(of: account, in: last.session, upTo: start) {
      news.refusedIDToken = refusal
    }
    return news
  }

  /// Why the ID token of a session's newest renewal up to an event was not accepted; `nil` where it
  /// was, or there was none.
  private func refusedIDToken(
    of account: AccountID, in session: SessionID?, upTo end: Position
  ) throws(GatebookError) -> String? {
    let reader = ledger.reader
    guard
      let renewal = try reader.last(.refreshSucceeded, of: account, in: session, upTo: end).last
    else { return nil }
    let check = try reader.last(.sessionVerified, of: account, in: session, upTo: end).last
      .flatMap { $0.position > renewal.position ? $0 : nil }
    return check?.facts(of: SessionVerified.self)?.idToken
      ?? renewal.facts(of: RefreshSucceeded.self)?.grant.idToken
  }

  /// Whether renewals are under way, or wait for one of another process.
  package var isRenewing: Bool {
    !renewals.running.isEmpty
  }

  /// Waits for the renewals under way: a program that ends must not leave one unanswered.
  ///
  /// Those that wait for another process have sent nothing, and end.
  package func settleRenewals() async {
    await renewals.settleRenewals()
  }

  /// Lets no renewal begin any more, and those not that wait for another process.
  ///
  /// - Returns: The accounts whose renewals may have sent something.
  @discardableResult
  package func stopRenewals() -> Set<AccountID> {
    renewals.stopRenewals()
  }

  /// Renews a session now, even if it is not due.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - evenIfUsedUp: Whether to send a refresh token once more that was sent twice without an
  ///     answer. If the server never received it, that saves the session. If it did, many servers
  ///     end the session (RFC 9700 section 4.14.2).
  /// - Returns: Whether there was something to renew: a saved password or a refresh token; for a
  ///   token session without one, saved credentials that log in again.
  /// - Throws: `session.refused` when only a login helps; `outcome.unknown` for a refresh token
  ///   that counts as used up; otherwise the server's failure, with the session kept unless the
  ///   server ended it.
  @discardableResult
  public func renewNow(
    _ account: AccountID, evenIfUsedUp: Bool = false
  ) async throws(GatebookError) -> Bool {
    try await renewals.renewNow(account, evenIfUsedUp: evenIfUsedUp)
  }
}
