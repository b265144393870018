/// A session with its secrets at hand, as the vault holds them now.
struct OpenSession {
  let context: SessionContext
  let state: AccountState
  let session: SessionID
  var stored: StoredSession
  var jar: CookieJar

  /// The account's own connections.
  var route: Route { Route(pool: context.account.description, trust: stored.trust) }

  /// What must still hold when something is recorded about this session (rule 4).
  var precondition: Precondition {
    .generation(context.account, session, state.generation)
  }

  /// Whether something renews it: what it has kept for that was not refused for good.
  var isRenewed: Bool { state.renewalEnd == nil && stored.proof.renewal(jar: jar) != nil }

  /// Whether this is the session that was seen, and nobody has renewed it since.
  func isStill(_ seen: OpenSession) -> Bool { state.isStill(seen) }

  /// The event that tells of the jar as it is.
  ///
  /// - Parameters:
  ///   - now: What has expired by then is left out.
  ///   - leaks: Names that may not stand in the clear.
  ///   - cause: What led to it; `nil` for what the session was last changed by.
  /// - Returns: The event.
  func cookiesChanged(
    at now: Timestamp, besides leaks: Set<String>, cause: ProposedEvent.Cause? = nil
  ) -> ProposedEvent {
    let told = jar.told(at: now, besides: leaks)
    return event(.cookiesChanged, cause: cause, data: told.data, personal: told.personal)
  }

  /// An event of this session.
  func event(
    _ facts: some EventFacts, cause: ProposedEvent.Cause? = nil, personal: Facts? = nil
  ) -> ProposedEvent {
    ProposedEvent(
      facts, account: context.account, session: session,
      cause: cause ?? .recorded(context.position), personal: personal)
  }

  /// An event of this session.
  func event(
    _ kind: EventKind, cause: ProposedEvent.Cause? = nil, data: Facts = [:], personal: Facts? = nil
  ) -> ProposedEvent {
    ProposedEvent(
      kind, account: context.account, session: session,
      cause: cause ?? .recorded(context.position), data: data, personal: personal)
  }
}

extension AccountState {
  /// Whether the account's session is the one that was seen, and nobody has renewed it since.
  func isStill(_ seen: OpenSession) -> Bool {
    session == seen.session && generation == seen.state.generation
  }
}

extension SessionBook {
  /// Opens an account's session; its secrets are read anew each time, so another process's renewal
  /// is never overlooked.
  ///
  /// - Throws: `session.refused` when there is none that can be used.
  func openSession(of account: AccountID) throws(GatebookError) -> OpenSession? {
    guard let session = try storedSession(of: account) else { return nil }
    // What a full disk could not take yet is newer than what is on it.
    return unsaved[account]?.over(session) ?? session
  }

  /// An account's session as it is on disk.
  func storedSession(of account: AccountID) throws(GatebookError) -> OpenSession? {
    try reader.inSnapshot { () throws(GatebookError) -> OpenSession? in
      try readSession(of: account)
    }
  }

  private func readSession(of account: AccountID) throws(GatebookError) -> OpenSession? {
    // As it is recorded: who begins to use a session asks whether it has expired.
    guard let context = try reader.context(of: account) else { throw Self.unknown(account) }
    guard context.state.isUsable, let state = try reader.state(of: account),
      let session = state.session
    else { throw Self.needsLogin(context) }
    guard let secret = try reader.secret(of: account, purpose: Purpose.session) else {
      return nil
    }
    let cookies = try reader.secret(of: account, purpose: Purpose.cookies)
    guard let stored = StoredSession(secret) else { throw Self.unreadable("secret") }
    return OpenSession(
      context: context, state: state, session: session, stored: stored,
      jar: try cookies.map(Self.jar) ?? CookieJar())
  }

  /// Reads a jar; one that cannot be read is an error: sent without its cookies, the session would
  /// be lost (rule 9).
  private static func jar(_ bytes: [UInt8]) throws(GatebookError) -> CookieJar {
    guard let jar = Facts(decoding: bytes).flatMap({ CookieJar(record: $0) }) else {
      throw unreadable("cookies")
    }
    return jar
  }

  private static func unreadable(_ what: String) -> GatebookError {
    GatebookError(
      .storageDamaged, "This version of Gatebook cannot read the session's \(what).",
      kept: "The session is kept.", remedy: "Use the version that logged in, or a newer one.")
  }

  /// Opens an account's session; where it was refused and what was saved is logging in instead, that
  /// is waited for.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - mayLogIn: Whether what was saved may be sent where a login with it has met trouble; without,
  ///     no server is asked.
  /// - Returns: The session.
  /// - Throws: `session.refused` when only a login helps.
  func requireSession(
    of account: AccountID, mayLogIn: Bool = true
  ) async throws(GatebookError) -> OpenSession {
    var failure: GatebookError?
    do throws(GatebookError) {
      if let loggedIn = try await saveHeldLogin(of: account) { await tell(loggedIn.news) }
    } catch {
      failure = error
    }
    do throws(GatebookError) {
      return try await presentSession(of: account)
    } catch  where error.code == .sessionRefused {
      // The server has granted a session that cannot be written yet.
      if let failure { throw failure }
      let isAwaited = try await waitForLogIn(of: account)
      let isBack = mayLogIn ? try await logInAfterTrouble(account) : false
      guard isBack || isAwaited else { throw error }
      return try await presentSession(of: account)
    }
  }

  /// Opens an account's session as it is now, and ends it when its secret is provably gone.
  func presentSession(of account: AccountID) async throws(GatebookError) -> OpenSession {
    if unsaved[account] != nil {
      // Whatever keeps it from the disk, it serves from memory.
      try? await saveHeldRenewal(of: account)
    }
    if try await recordExpiry(of: account) { throw Self.needsLogin(try context(of: account)) }
    if let session = try openSession(of: account) { return session }
    let context = try context(of: account)
    try await end(context, reason: .secretMissing, cause: nil)
    throw Self.needsLogin(try self.context(of: account))
  }

  /// Records that only a new login helps.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - reason: Why.
  ///   - cause: The event that led to it; `nil`: the account's last.
  ///   - error: The failure that decided.
  ///   - left: What nobody will use now, to be ended at the server.
  /// - Returns: Whether it was so; `false` where somebody renewed the session, ended it or logged in
  ///   anew.
  /// - Throws: Storage failures.
  @discardableResult
  func end(
    _ context: SessionContext, reason: EndReason, cause: Position?, error: GatebookError? = nil,
    leaving left: OutboxItem? = nil
  ) async throws(GatebookError) -> Bool {
    guard let session = context.session else { return true }
    var ended = SessionEnded(reason: reason)
    if let error {
      ended.failure = Failure(error)
      // The event that led to it says them; how a use was refused nothing else says.
      ended.failure.fault = nil
      if cause != nil { ended.failure.error = nil }
      ended.isHalted = try isSavedRefused(by: error, context.account)
    }
    // What was renewed for another user is used up like any other.
    let isUsedUp =
      reason == .refusedAfterUnknownOutcome || (reason == .identityMismatch && cause != nil)
    let doubt = try doubtOfSaved(context.account, isUsedUp: isUsedUp)
    (ended.attempt, ended.fingerprint) = (doubt?.attempt, doubt?.fingerprint)
    let event = ProposedEvent(
      ended, account: context.account, session: session,
      cause: .recorded(cause ?? context.position))
    var append = Append(
      [event], precondition: .generation(context.account, session, context.generation))
    append.vault =
      keepingSettings(of: context.account) + Append.VaultChange.endSession(of: context.account)
    if reason == .refusedWithoutReason {
      append.vault += try keepingRefused(context.account, context.generation)
    }
    if let left {
      append.leave(left, generation: context.generation + 1, of: context.account, session)
    }
    do throws(GatebookError) {
      try await commit(append)
      if left != nil { keepDelivering() }
      return true
    } catch  where error.code == .preconditionFailed {
      // Somebody renewed the session or logged in anew: what we know of it is out of date.
      return false
    }
  }

  static func needsLogin(_ context: SessionContext) -> GatebookError {
    GatebookError(
      .sessionRefused, "The account has no usable session: \(context.state.text).",
      kept: "The account, its attributes and its history are kept.", remedy: "Log in again.")
  }
}
