/// Catches up with the servers: delivers what waits, and confirms or renews what needs it.
struct ServerSync {
  let ledger: Ledger
  let outbox: Outbox
  let renewals: Renewals
  let offline: OfflineSessions

  /// Synchronizes with the servers when the network is back: delivers waiting messages, and
  /// verifies sessions that were resumed offline or whose renewal was lost.
  ///
  /// An automatic run skips what waits between two tries at a reachable server, and what has failed
  /// too often.
  func sync(
    _ account: AccountID?, isAsked: Bool
  ) async throws(GatebookError) -> SyncReport {
    if let account { _ = try ledger.context(of: account) }
    var report = try await outbox.deliverOutbox(on: isAsked ? .asked : .network, of: account)
    if report.waiting > 0 { report.demandedUntil = try outbox.demandedUntil(of: account) }
    for context in try ledger.reader.accounts() where account == nil || context.account == account {
      let state = try ledger.reader.state(of: context.account)
      let now = ledger.clock.now()
      // What it has is over, and its renewal has failed.
      let isOverdue =
        state?.state == .active && state?.deferral != nil && state?.isOver(at: now) == true
      // The next use would ask the server, and end it without its word.
      let isPastLimit = state?.isPastOfflineLimit(at: now) == true
      // As every reader sees it: a renewal may have lost its process.
      let isUncertain = try self.ledger.context(of: context.account).state == .uncertain
      switch context.state {
      case .offline: break
      case .active where isOverdue || isUncertain || isPastLimit: break
      case .uncertain:
        guard isAsked || state?.unanswered ?? 0 < SavedUse.maximumUses else { continue }
      case .active where try isQuestioned(context.account):
        try await verify(context.account, in: &report) { () throws(GatebookError) in
          try await isSettled(context.account)
        }
        continue
      case .active, .challenged:
        // A check that fails now too is not reported.
        try await verify(context.account, in: &report) { () throws(GatebookError) in
          try await isRenewedChecked(context.account)
        }
        continue
      case .needsLogin, .ended: continue
      }
      try await verify(context.account, in: &report, isRenewing: isAsked) {
        () throws(GatebookError) in
        let session = try await offline.enforceOfflineLimit(
          try await renewals.requireSession(of: context.account))
        // The limit's own question to the server may have been answered.
        if isOverdue {
          _ = try await renewals.renewIfDue(session)
        } else if isUncertain || session.context.state != .active {
          try await renewals.requireVerified(try await renewals.renewIfDue(session))
        }
        return true
      }
    }
    return report
  }

  /// Verifies one account's session, and reports what came of it.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - report: The report.
  ///   - isRenewing: Whether a session that no page proves is renewed instead.
  ///   - work: Says whether the session was verified.
  /// - Throws: What concerns the other accounts too.
  private func verify(
    _ account: AccountID, in report: inout SyncReport, isRenewing: Bool = false,
    _ work: () async throws(GatebookError) -> Bool
  ) async throws(GatebookError) {
    do throws(GatebookError) {
      if try await work() { report.verified.append(account) }
    } catch {
      // A process that holds one account's lock holds up no other account.
      guard !error.code.isOfStorage || error.code == .storageBusy else { throw error }
      // The caller wants no other account's turn either.
      if error.code == .cancelled, Task.isCancelled { throw error }
      guard error.code == .loginUnprovable, error.status == nil else {
        report.failures.append((account: account, error: error))
        return
      }
      // No answer decided: there was nothing to ask. Where no page proves a session, its renewal
      // does.
      do throws(GatebookError) {
        if isRenewing, try await renewWaiting(account) {
          report.verified.append(account)
        } else {
          report.unprovable.append(account)
        }
      } catch {
        if error.code == .cancelled, Task.isCancelled { throw error }
        report.failures.append((account: account, error: error))
      }
    }
  }

  /// Whether the server has answered 400 to a request and has not confirmed the session since.
  private func isQuestioned(_ account: AccountID) throws(GatebookError) -> Bool {
    // What cannot be opened cannot be asked about.
    guard let session = try? ledger.openSession(of: account) else { return false }
    return renewals.isQuestioned(session)
  }

  /// Asks the server about an answer that made a session doubtful; whether that is settled then.
  private func isSettled(_ account: AccountID) async throws(GatebookError) -> Bool {
    let session = try await renewals.settlingQuestion(
      try await renewals.requireSession(of: account), tellsAll: true)
    return !renewals.isQuestioned(session)
  }

  /// Checks what an account's last renewal brought and could not check then; whether that is
  /// checked now.
  private func isRenewedChecked(_ account: AccountID) async throws(GatebookError) -> Bool {
    // What cannot be opened is not waiting for its server.
    guard let session = try? ledger.openSession(of: account), session.isUnchecked
    else { return false }
    try await renewals.checkRenewed(account)
    return try ledger.openSession(of: account)?.isUnchecked == false
  }

  /// Renews a session for a person who asked for all of them: not where its server demanded to be
  /// left alone, nor where it counts what would be sent.
  ///
  /// - Returns: Whether there was something to renew.
  private func renewWaiting(_ account: AccountID) async throws(GatebookError) -> Bool {
    let session = try await renewals.requireSession(of: account)
    // What the server has refused for good is not sent for all of them.
    guard session.state.renewalEnd == nil else { return false }
    if let failure = try renewals.heldBack(session, .needed) { throw failure }
    return try await renewals.renewNow(account)
  }
}
