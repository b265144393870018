/// What is not sent automatically after a renewal has failed: each renewal, and each login instead
/// of one, asks here.
///
/// Who asks for one may always try: ``SessionBook/renewNow(_:evenIfUsedUp:)``,
/// ``SessionBook/logInAgain(_:evenIfUsedUp:)``.
extension Renewals {
  /// Why a session is neither renewed now nor logged in again with what was saved.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - trigger: Why it is to be renewed.
  /// - Returns: What a caller hears; `nil` where it may be, and where somebody asked for it.
  /// - Throws: Storage failures.
  func heldBack(
    _ session: OpenSession, _ trigger: RenewalTrigger
  ) throws(GatebookError) -> GatebookError? {
    // What failed for another session, or before it was renewed, says nothing of this one.
    guard !trigger.isAsked, let state = try ledger.reader.state(of: session.context.account),
      state.state.isUsable, state.isStill(session)
    else { return nil }
    if let current = try? ledger.openSession(of: session.context.account), current.isRenewed,
      current.state.unanswered < SavedUse.maximumUses,
      let failure = heldSecondUse(current, trigger)
    {
      return failure
    }
    guard let deferral = state.deferral else { return nil }
    var proof: (any SessionProof)? = session.stored.proof
    if state.renewalEnd != nil || proof?.renewable?.renewal(jar: session.jar) == nil {
      proof = try savedLogin(inPlaceOf: session)?.proof
    }
    return try wait(
      deferral, of: session.context.account, isUrgent: trigger != .early,
      sendsPassword: proof?.renewsByPassword ?? false)
  }

  /// Why what was saved is not sent now in the place of a renewal that has just failed: so did its
  /// last use.
  ///
  /// - Parameters:
  ///   - saved: What was saved.
  ///   - account: Whose.
  /// - Returns: What a caller hears; `nil` where it may be sent.
  /// - Throws: Storage failures.
  func heldBack(
    _ saved: StoredSession, of account: AccountID
  ) throws(GatebookError) -> GatebookError? {
    if let failure = try heldSecondUse(ofSaved: saved, account) { return failure }
    guard let state = try ledger.reader.state(of: account), let use = state.savedUse,
      use.position > state.person, let deferral = state.deferral
    else { return nil }
    return try wait(
      deferral, of: account, isUrgent: true, sendsPassword: saved.proof.renewsByPassword)
  }

  private func wait(
    _ deferral: AccountState.Deferral, of account: AccountID, isUrgent: Bool, sendsPassword: Bool
  ) throws(GatebookError) -> GatebookError? {
    let now = ledger.clock.now()
    guard deferral.holdsBack(at: now, isUrgent: isUrgent, sendsPassword: sendsPassword) else {
      return nil
    }
    if deferral.isHalted, sendsPassword { return Self.renewalsHalted }
    guard let until = deferral.until else { return nil }
    let seconds = max(1, (until - now.wall).components.seconds)
    if deferral.isDemanded {
      return GatebookError(
        .serverUnavailable, "The server asked not to be contacted for another \(seconds) s.",
        kept: "The session is kept.", remedy: "Try again after that time.")
    }
    guard var failed = try refusedRenewal(of: account) else {
      return GatebookError(
        .serverUnavailable,
        "The last renewal failed; the next one is due in \(seconds) s.",
        kept: "The session is kept.", remedy: "Try again after that time.")
    }
    failed.message += " The next renewal is due in \(seconds) s."
    return failed
  }

  /// Why a saved password is sent again only on request.
  static let renewalsHalted = GatebookError(
    .configurationInvalid,
    "The server did not accept the login with the saved credentials. Gatebook does not send a password again "
      + "after that.",
    kept: "The session is kept.",
    remedy:
      "Check the client's settings, then renew the session with `SessionBook.renewNow(_:)`, or log in "
      + "again.")
}

extension AccountState.Deferral {
  /// Whether nothing is sent automatically now.
  ///
  /// - Parameters:
  ///   - now: Now.
  ///   - isUrgent: Whether a caller waits for it. Then two waits for a token count: one that the
  ///     server demanded, and one after so many refusals that it is longer than any for a server in
  ///     trouble.
  ///   - sendsPassword: Whether a person's password would be sent: then each wait counts.
  /// - Returns: Whether the wait lasts; for a password also whether no time helps.
  func holdsBack(at now: Moment, isUrgent: Bool, sendsPassword: Bool) -> Bool {
    // What an older version recorded so of a refresh token is tried again.
    if isHalted, sendsPassword { return true }
    // A wall clock that was set back must not keep a session from being renewed.
    guard let until, now.wall < until, now.wall >= at else { return false }
    return !isUrgent || isDemanded || sendsPassword || until - at > BackOff.longest(random: .max)
  }
}
