extension Requests {
  /// Records that other programs can send requests as an account.
  ///
  /// - Returns: Where that is recorded.
  /// - Throws: `session.refused` without a session, and storage failures.
  func recordProxy(
    _ started: ProxyStarted, _ personal: ProxyStarted.Personal, of account: AccountID
  ) async throws(GatebookError) -> Position? {
    let session = try await renewals.requireSession(of: account, mayLogIn: false)
    return try await ledger.updating(session) { current in
      let facts = personal.facts
      return Append([current.event(started, personal: facts.isEmpty ? nil : facts)])
    }?.first
  }

  /// Records that a proxy did not forward a request; the refusal is worth more than its record.
  func recordRefusal(_ refused: ProxyRefused, of account: AccountID) async {
    var refused = refused
    refused.program = refused.program.flatMap { .plain($0) }
    try? await record(refused, of: account)
  }

  /// Records which programs have used a proxy, or that it has ended.
  ///
  /// - Parameters:
  ///   - use: What was not recorded before.
  ///   - run: Where the beginning of the run is recorded.
  ///   - isEnd: Whether the proxy has ended.
  ///   - account: The account.
  /// - Throws: Storage failures; nothing is recorded then.
  func recordUse(
    _ use: ProxyUse, since run: Position?, isEnd: Bool, of account: AccountID
  ) async throws(GatebookError) {
    var use = use
    // Those whose names may not be in the clear stay in the totals.
    use.programs = use.programs.filter { String.plain($0.key) != nil }
    if isEnd {
      try await record(ProxyEnded(use), of: account, since: run)
    } else {
      try await record(ProxyUsed(use), of: account, since: run)
    }
  }

  /// Records an event of an account, and of its session if that is open: a proxy may serve longer
  /// than the session lasts.
  private func record(
    _ facts: some EventFacts, of account: AccountID, since run: Position? = nil
  ) async throws(GatebookError) {
    // Nothing is said of an erased account.
    guard try !ledger.reader.isErased(account) else { return }
    let context = try ledger.recordedContext(of: account)
    let session = context.state.isUsable ? try ledger.openSession(of: account)?.session : nil
    let event = ProposedEvent(facts).placed(
      account, session, cause: .recorded(run ?? context.position))
    try await ledger.commit(Append([event]))
  }
}
