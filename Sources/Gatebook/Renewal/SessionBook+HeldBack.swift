/// What is not sent by itself after a renewal has failed: every way to a renewal, and to a login in its
/// place, asks here.
///
/// Who asks for one may always try: ``SessionBook/renewNow(_:evenIfUsedUp:)``, ``SessionBook/logInAgain(_:evenIfUsedUp:)``.
extension SessionBook {
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
    guard !trigger.isAsked, let state = try reader.state(of: session.context.account),
      state.state.isUsable, state.isStill(session), let deferral = state.deferral
    else { return nil }
    var proof: (any SessionProof)? = session.stored.proof
    if proof?.renewal(jar: session.jar) == nil {
      proof = try savedLogin(inPlaceOf: session)?.proof
    }
    return wait(
      deferral, isUrgent: trigger != .early, sendsPassword: proof?.renewsByPassword ?? false)
  }

  /// Why what was saved is not sent now in the place of a renewal that has just failed: so did its last
  /// use.
  ///
  /// - Parameters:
  ///   - saved: What was saved.
  ///   - account: Whose.
  /// - Returns: What a caller hears; `nil` where it may be sent.
  /// - Throws: Storage failures.
  func heldBack(
    _ saved: StoredSession, of account: AccountID
  ) throws(GatebookError) -> GatebookError? {
    guard let state = try reader.state(of: account), let use = state.savedUse,
      use.position > state.person, let deferral = state.deferral
    else { return nil }
    return wait(deferral, isUrgent: true, sendsPassword: saved.proof.renewsByPassword)
  }

  private func wait(
    _ deferral: AccountState.Deferral, isUrgent: Bool, sendsPassword: Bool
  ) -> GatebookError? {
    let now = clock.now()
    guard deferral.holdsBack(at: now, isUrgent: isUrgent, sendsPassword: sendsPassword) else {
      return nil
    }
    guard !deferral.isHalted, let until = deferral.until else { return Self.renewalsHalted }
    let seconds = max(1, (until - now.wall).components.seconds)
    return GatebookError(
      .serverUnavailable,
      deferral.isDemanded
        ? "The server asked to be left alone for another \(seconds) s."
        : "A renewal has failed a moment ago: nothing is sent by itself for another \(seconds) s.",
      kept: "The session is kept.", remedy: "Try again then.")
  }

  /// Why nothing is sent any more unless somebody asks.
  static let renewalsHalted = GatebookError(
    .configurationInvalid,
    "The server did not take Gatebook's renewals, and trying again alone cannot help.",
    kept: "The session is kept.",
    remedy: "Check the client's settings, then ask for a refresh or log in again.")
}
