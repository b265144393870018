extension Renewals {
  /// A session asks its server about an answer 400 at most once in this time.
  private static let questionInterval = Duration.seconds(60)

  /// Asks the server whether a session is still valid, where it has answered 400 to a request: some
  /// servers answer so to a token that they have forgotten.
  ///
  /// Asked at most once a minute. A server that cannot be asked, or gives no answer, keeps nobody
  /// from using the session.
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
      guard try await verify(session) else {
        throw Ledger.needsLogin(try ledger.context(of: account))
      }
      // Confirmed, renewed or logged in again: either way it is answered.
      questioned.remove(session.session)
    } catch {
      // Only an answer that ends the session is about the session.
      guard try ledger.recordedContext(of: account).state.isUsable else { throw error }
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
    let now = ledger.clock.now()
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
