extension Requests {
  /// The same refusal of a session is recorded at most once in this time.
  private static let refusalInterval = Duration.seconds(3600)

  /// The statuses that refuse a request.
  private static let refusals = [400, 401, 403]

  /// Records that the server refused a request of a session that stays valid, as far as anybody
  /// knows.
  ///
  /// What a server demands of a stronger login is recorded as that. Neither a request that the
  /// caller aborts is recorded, nor the refusal of a token that was replaced since.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - account: The account.
  ///   - refused: The session that the answer refused; `nil` where it refused none.
  func recordRefusal(
    _ reply: HTTPReply, of account: AccountID, refusing refused: OpenSession? = nil
  ) async {
    guard Self.refusals.contains(reply.status), !Task.isCancelled,
      let session = try? ledger.openSession(of: account),
      session.stored.proof.stepUpCapable?.demand(in: reply) == nil
    else { return }
    let status = reply.status
    if let refused, !session.isStill(refused) { return }
    // Nothing settles what nothing can answer.
    let isOpen = status == 400 && canBeAsked(session)
    if isOpen { renewals.questioned.insert(session.session) }
    let isRecorded = hasRecorded(status, session.state, refused)
    guard !isRecorded else {
      // The log keeps one of them: no other program hears of this one, so it is settled here.
      if isOpen { _ = try? await renewals.settlingQuestion(session) }
      return
    }
    // The answer is worth more to the caller than its record.
    try? await ledger.update(session) { current in
      guard !hasRecorded(status, current.state, refused) else { return nil }
      var refused = RequestRefused(status: Int64(status))
      refused.isUnprovable = status == 400 && !isOpen
      var append = Append([current.event(refused)])
      append.mayBeGivenUp = true
      return append
    }
  }

  /// Whether the same refusal of the session was recorded a short time ago; of a token that a
  /// renewal brought, since that renewal.
  private func hasRecorded(
    _ status: Int, _ state: AccountState, _ refused: OpenSession?
  ) -> Bool {
    guard let last = state.refusals["\(status)"] else { return false }
    if status == 401, refused?.stored.proof.tokenBearing != nil, let renewed = state.renewed,
      last.at < renewed.wall
    {
      return false
    }
    let now = ledger.clock.now().wall
    // A clock that was set back since says nothing of how long that is.
    return last.at <= now && now - last.at < Self.refusalInterval
  }

  /// Whether something can tell if a session is still valid: a page, an introspection, or the
  /// session's own method.
  private func canBeAsked(_ session: OpenSession) -> Bool {
    // Its own flow asks.
    guard !(session.stored.proof is MobileFirstProof) else { return false }
    // A machine is a value: what this one would send is dropped.
    var machine = session.stored.proof.verification(jar: session.jar)
    do throws(GatebookError) {
      _ = try machine.next(Input(.start, at: ledger.clock.now(), random: ledger.random.bytes(64)))
      return true
    } catch {
      return error.code != .loginUnprovable
    }
  }
}
