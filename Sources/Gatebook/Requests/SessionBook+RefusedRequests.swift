extension SessionBook {
  /// A session asks its server about an answer 400 at most once in this time.
  private static let questionInterval = Duration.seconds(60)
  /// The same refusal of a session is recorded at most once in this time.
  private static let refusalInterval = Duration.seconds(3600)
  /// The statuses that refuse a request.
  private static let refusals = [400, 401, 403]

  /// Records that the server refused a request of a session that stays valid, as far as anybody knows.
  ///
  /// What a server demands of a stronger login is recorded as that. A request that the caller aborts is
  /// not recorded.
  func recordRefusal(_ reply: HTTPReply, of account: AccountID) async {
    guard Self.refusals.contains(reply.status), !Task.isCancelled,
      let session = try? openSession(of: account),
      session.stored.proof.demand(in: reply) == nil
    else { return }
    let status = reply.status
    // Nothing settles what nothing can answer.
    let isOpen = status == 400 && canBeAsked(session)
    if isOpen { questioned.insert(session.session) }
    let isRecorded = isRecent(session.state.refusals["\(status)"])
    guard !isRecorded else {
      // The log keeps one of them: no other program hears of this one, so it is settled here.
      if isOpen { _ = try? await settlingQuestion(session) }
      return
    }
    // The answer is worth more to the caller than its record.
    try? await update(session) { current in
      guard !isRecent(current.state.refusals["\(status)"]) else { return nil }
      var refused = RequestRefused(status: Int64(status))
      refused.isUnprovable = status == 400 && !isOpen
      var append = Append([current.event(refused)])
      append.mayBeGivenUp = true
      return append
    }
  }

  /// Whether the same refusal of the session was recorded a short time ago.
  private func isRecent(_ last: AccountState.Refusal?) -> Bool {
    guard let last else { return false }
    let now = clock.now().wall
    // A clock that was set back since says nothing of how long that is.
    return last.at <= now && now - last.at < Self.refusalInterval
  }

  /// Whether something can tell if a session is still valid: a page, an introspection, or the session's own method.
  private func canBeAsked(_ session: OpenSession) -> Bool {
    // Its own flow asks.
    guard !(session.stored.proof is MobileFirstProof) else { return false }
    // A machine is a value: what this one would send is dropped.
    var machine = session.stored.proof.verification(jar: session.jar)
    do throws(GatebookError) {
      _ = try machine.next(Input(.start, at: clock.now(), random: random.bytes(64)))
      return true
    } catch {
      return error.code != .loginUnprovable
    }
  }

  /// Asks the server whether a session is still valid, where it has answered 400 to a request: some servers
  /// answer so to a token that they have forgotten.
  ///
  /// Asked at most once a minute. A server that cannot be asked, or gives no answer, keeps nobody from using the
  /// session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - tellsAll: Whether the caller hears, too, why the question is still open.
  /// - Returns: The session as it is then.
  /// - Throws: Why the session has ended by the answer.
  func settlingQuestion(
    _ session: OpenSession, tellsAll: Bool = false
  ) async throws(GatebookError) -> OpenSession {
    let account = session.context.account
    guard isQuestioned(session), mayAsk(about: session) else { return session }
    do throws(GatebookError) {
      guard try await verify(session) else { throw Self.needsLogin(try context(of: account)) }
      // Confirmed, renewed or logged in again: either way it is answered.
      questioned.remove(session.session)
    } catch {
      // Only an answer that ends the session is about the session.
      guard try recordedContext(of: account).state.isUsable else { throw error }
      if tellsAll || error.code == .cancelled { throw error }
    }
    return try await requireSession(of: account)
  }

  /// Whether the server has answered 400 to a request and has not confirmed the session since.
  func isQuestioned(_ session: OpenSession) -> Bool {
    session.state.isQuestioned || questioned.contains(session.session)
  }

  /// Whether the server may be asked about a session; it counts as asked then.
  private func mayAsk(about session: OpenSession) -> Bool {
    let now = clock.now()
    if let last = questions[session.session], now.boot >= last,
      now.boot - last < Self.questionInterval
    {
      return false
    }
    // Another program may have asked.
    if !session.state.isQuestioned, let last = session.state.verifiedAt, last <= now.wall,
      now.wall - last < Self.questionInterval
    {
      return false
    }
    questions[session.session] = now.boot
    return true
  }
}
