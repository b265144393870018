/// Catches up with the servers: delivers what waits, and confirms or renews what needs it.
final class ServerSync {
  let ledger: Ledger
  let outbox: Outbox
  let renewals: Renewals
  let offline: OfflineSessions

  init(_ ledger: Ledger, _ outbox: Outbox, _ renewals: Renewals, _ offline: OfflineSessions) {
    self.ledger = ledger
    self.outbox = outbox
    self.renewals = renewals
    self.offline = offline
  }

  /// Synchronizes with the servers when the network is back: delivers waiting messages, and
  /// verifies sessions that were resumed offline or whose renewal was lost.
  func sync(_ account: AccountID? = nil) async throws(GatebookError) -> SyncReport {
    try await sync(account, isAsked: true)
  }

  /// The same; an automatic run skips what waits between two tries at a reachable server, and what
  /// has failed too often.
  func sync(
    _ account: AccountID?, isAsked: Bool
  ) async throws(GatebookError) -> SyncReport {
    if let account { _ = try ledger.context(of: account) }
    var report = SyncReport()
    let deliveries = try await outbox.deliverOutbox(on: isAsked ? .asked : .network, of: account)
    report.delivered = deliveries.delivered
    report.givenUp = deliveries.givenUp
    report.waiting = deliveries.waiting
    report.underWay = deliveries.underWay
    if report.waiting > 0 { report.demandedUntil = try outbox.demandedUntil(of: account) }
    for context in try ledger.reader.accounts() where account == nil || context.account == account {
      let isOverdue = try isOverdue(context.account)
      // As every reader sees it: a renewal may have lost its process.
      let isUncertain = try self.ledger.context(of: context.account).state == .uncertain
      switch context.state {
      case .offline,
        .active where isOverdue:
        break
      case .active where isUncertain: break
      case .uncertain:
        let unanswered = try ledger.reader.state(of: context.account)?.unanswered ?? 0
        guard isAsked || unanswered < SavedUse.maximumUses else { continue }
      case .active where try isPastLimit(context.account): break
      case .active where try isQuestioned(context.account):
        try await settleQuestion(context.account, in: &report)
        continue
      case .active, .challenged:
        try await checkRenewed(context.account, in: &report)
        continue
      case .needsLogin, .ended: continue
      }
      do throws(GatebookError) {
        let session = try await offline.enforceOfflineLimit(
          try await renewals.requireSession(of: context.account))
        // The limit's own question to the server may have been answered.
        if isOverdue {
          _ = try await renewals.renewIfDue(session)
        } else if isUncertain || session.context.state != .active {
          guard try await renewals.verify(try await renewals.renewIfDue(session)) else {
            throw Ledger.needsLogin(try self.ledger.context(of: context.account))
          }
        }
        report.verified.append(context.account)
      } catch {
        // A process that holds one account's lock holds up no other account.
        guard !error.code.isOfStorage || error.code == .storageBusy else {
          throw error
        }
        // The caller wants no other account's turn either.
        if error.code == .cancelled, Task.isCancelled { throw error }
        // No answer decided: there was nothing to ask.
        guard error.code != .loginUnprovable || error.status != nil else {
          // Where no page proves a session, its renewal does.
          do throws(GatebookError) {
            if isAsked, try await renewWaiting(context.account) {
              report.verified.append(context.account)
            } else {
              report.unprovable.append(context.account)
            }
          } catch {
            if error.code == .cancelled, Task.isCancelled { throw error }
            report.failures.append((account: context.account, error: error))
          }
          continue
        }
        report.failures.append((account: context.account, error: error))
      }
    }
    return report
  }

  /// Whether what a session has is over, and its renewal has failed.
  private func isOverdue(_ account: AccountID) throws(GatebookError) -> Bool {
    guard let state = try ledger.reader.state(of: account), state.state == .active,
      state.deferral != nil
    else { return false }
    return state.isOver(at: ledger.clock.now())
  }

  /// Whether the next use asks the server, and ends the session without its word.
  private func isPastLimit(_ account: AccountID) throws(GatebookError) -> Bool {
    try ledger.reader.state(of: account)?.isPastOfflineLimit(at: ledger.clock.now()) == true
  }

  /// Whether the server has answered 400 to a request and has not confirmed the session since.
  private func isQuestioned(_ account: AccountID) throws(GatebookError) -> Bool {
    // What cannot be opened cannot be asked about.
    guard let session = try? ledger.openSession(of: account) else { return false }
    return renewals.isQuestioned(session)
  }

  /// Asks the server about an answer that made a session doubtful.
  private func settleQuestion(
    _ account: AccountID, in report: inout SyncReport
  ) async throws(GatebookError) {
    do throws(GatebookError) {
      let session = try await renewals.settlingQuestion(
        try await renewals.requireSession(of: account), tellsAll: true)
      if !renewals.isQuestioned(session) { report.verified.append(account) }
    } catch {
      guard error.code != .loginUnprovable || error.status != nil else {
        report.unprovable.append(account)
        return
      }
      guard !error.code.isOfStorage || error.code == .storageBusy else { throw error }
      if error.code == .cancelled, Task.isCancelled { throw error }
      report.failures.append((account: account, error: error))
    }
  }

  /// Checks what an account's last renewal brought and could not check then; a check that fails now
  /// too is not reported.
  private func checkRenewed(
    _ account: AccountID, in report: inout SyncReport
  ) async throws(GatebookError) {
    // What cannot be opened is not waiting for its server.
    guard let session = try? ledger.openSession(of: account), session.stored.proof.isUnchecked
    else {
      return
    }
    do throws(GatebookError) {
      try await renewals.checkRenewed(account)
      if let after = try ledger.openSession(of: account), !after.stored.proof.isUnchecked {
        report.verified.append(account)
      }
    } catch {
      guard !error.code.isOfStorage || error.code == .storageBusy else { throw error }
      report.failures.append((account: account, error: error))
    }
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

/// The result of ``SessionBook/sync(_:)``.
public struct SyncReport: Sendable {
  /// How many waiting messages were delivered: logouts and revocations.
  public internal(set) var delivered = 0
  /// How many messages were given up: their servers reject them or could not be reached for a
  /// month, or a session uses the tokens now.
  ///
  /// The log says which (`revocation.failed`, `halted`).
  ///
  /// Tokens that a server does not revoke stay valid there until they expire.
  public internal(set) var givenUp = 0
  /// How many are still waiting.
  public internal(set) var waiting = 0
  /// How many another process is delivering now; the log will show the result.
  public internal(set) var underWay = 0
  /// The earliest time at which a waiting message is tried whose server asked to wait: nothing is
  /// sent to that server earlier.
  ///
  /// `nil` if no server asked for that.
  public internal(set) var demandedUntil: Timestamp?
  /// The accounts whose sessions were confirmed or renewed.
  public internal(set) var verified: [AccountID] = []
  /// The accounts whose servers have no page that can confirm a session: the next use shows whether
  /// it is valid.
  public internal(set) var unprovable: [AccountID] = []
  /// The accounts whose sessions were not confirmed, and why; only `session.refused`,
  /// `token.refused` or `identity.mismatch` has ended one.
  public internal(set) var failures: [(account: AccountID, error: GatebookError)] = []

  /// Whether nothing waited to be delivered and no session had to be verified.
  public var isEmpty: Bool {
    delivered + givenUp + waiting + underWay == 0 && verified.isEmpty && unprovable.isEmpty
      && failures.isEmpty
  }
}
