/// How a login ended, as the book records it.
extension Logins {
  /// Records how a login failed.
  ///
  /// - Parameters:
  ///   - error: Why.
  ///   - attempt: The login.
  ///   - challenges: What it met.
  ///   - waiting: What it had kept to continue; that ends too.
  ///   - left: What it was granted and nobody will use.
  /// - Returns: Whether the server was told of that, or will be.
  @discardableResult
  func record(
    _ error: GatebookError, _ attempt: LoginAttempt, _ challenges: [AuthenticatorRun.Challenge],
    waiting: SessionID? = nil, leaving left: UnclaimedGrant? = nil
  ) async -> Bool {
    // An erased account keeps nothing until its server has heard.
    let left = left.map { outbox.outlivingErasure($0) }
    let events = attempt.events(for: challenges, account: attempt.account)
    // What the server says of itself may be why, and may be put right by now.
    var append = Append(
      outbox.outlivingErasure(events + [attempt.failed(error)]),
      vault: [waiting.map { .endAttempt($0) }, .outdateDocuments].compactMap(\.self))
    documents.published.outdate()
    left?.queue(in: &append)
    // The login's own failure is what the caller must hear; without this event it reads as
    // "begun, never ended".
    let receipt = try? await ledger.commit(append)
    guard let left else { return false }
    return await outbox.takeBack(left, cause: receipt?[events.count])
  }

  /// Records a login's success.
  func record(_ success: LoginSuccess) async throws(GatebookError) -> AccountID {
    let person = success.outcome.person
    for _ in 0..<Ledger.maximumTurns {
      // Read first: what somebody writes after this fails the append.
      let known = try ledger.account(of: person)
      // The login replaces the former session; the log must say how that ended.
      if let known { try await ledger.recordExpiry(of: known) }
      let revision = try revision(of: known)
      if let known { try checkWanted(success.attempt, known) }
      do throws(GatebookError) {
        return try await record(success, known, revision)
      } catch  where error.code == .preconditionFailed {
        // Another process made or changed the account between our look and our commit. Where none
        // did, what failed is none of the account's, and fails again.
        let found = try ledger.reader.account(ofUser: person)
        let isChanged = try self.revision(of: found) != revision
        guard found != known || isChanged else { throw error }
      }
    }
    throw Ledger.contended
  }

  /// A login that nobody asked for takes no place of what somebody has decided meanwhile: a logout,
  /// or another login (rules 4 and 6).
  private func checkWanted(
    _ attempt: LoginAttempt, _ account: AccountID
  ) throws(GatebookError) {
    guard let former = attempt.former else { return }
    let context = try ledger.context(of: account)
    if case .ended = context.state { throw Ledger.needsLogin(context) }
    guard context.session == former || !context.state.isUsable else { throw Self.underWay }
  }

  private func revision(of account: AccountID?) throws(GatebookError) -> Int64? {
    guard let account else { return nil }
    return try ledger.reader.state(of: account)?.revision ?? 0
  }

  private func record(
    _ success: LoginSuccess, _ known: AccountID?, _ revision: Int64?
  ) async throws(GatebookError) -> AccountID {
    let account = if let known { known } else { try ledger.newAccount() }
    let key: [UInt8]? = if known == nil { try ledger.reader.newKey(of: account) } else { nil }
    var success = success
    try tellSecrets(of: &success.outcome, account, key)
    let person = success.outcome.person
    let former = if let known { try ledger.context(of: known).user } else { UserAttributes() }
    let kept = if let known { try ledger.credentials(of: known) } else { KeptCredentials() }
    let trusted = if let known { try challenges.trust(of: known) } else { Trust.system }
    if let known {
      // A label that it has stays: `rename` changes it.
      if try ledger.context(of: known).label != nil { success.options.label = nil }
      if let former = formerProof(of: known) {
        success.outcome.changedEndpoints =
          success.outcome.proof.tokenBearing?.movedEndpoints(since: former) ?? []
      }
      success = try droppingRevokedPermissions(success, of: known)
    }
    if let former = success.attempt.trusted {
      // Nobody has said again what was said at the login that saved it.
      success.options.trust = success.options.trust.without(former.keys.subtracting(trusted.keys))
      success.options.saveCredentials = try ledger.hasSavedCredentials(account)
    }
    success.verifier = OfflineVerifier.Change(
      success.attempt, mayKeep: success.options.saveCredentials,
      hasOne: try ledger.hasOfflineVerifier(account))
    var append = success.append(
      for: account, isNew: known == nil, attributes: former, kept: kept, trusted: trusted)
    if let revision {
      append.precondition = .revision(account, revision)
      try addClient(of: person, account, in: &append)
    } else {
      append.newAccounts = [
        Append.NewAccount(
          id: account, lookups: [try ledger.reader.lookupHash(person.userParts)], key: key)
      ]
    }
    for name in Set([person, success.attempt.typed]) where !name.loginName.isEmpty {
      // Only a password proves that a name is not the other account's any more.
      let found = try ledger.reader.account(ofName: name)
      guard found == nil || found == account || success.attempt.isByPassword else { continue }
      append.lookups.append((account: account, hash: try ledger.reader.lookupHash(name.nameParts)))
    }
    if success.options.becomesCurrent, try ledger.reader.current() != account {
      append.events.append(
        try ledger.switching(
          to: account, cause: .proposed(success.index(of: .loginSucceeded, in: append)))
      )
    }
    try await ledger.commit(append)
    return account
  }

  /// Makes an account that was added before accounts had clients one of this client.
  private func addClient(
    of person: Person, _ account: AccountID, in append: inout Append
  ) throws(GatebookError) {
    guard !person.client.isEmpty, try ledger.reader.state(of: account)?.client == nil,
      let index = append.events.lastIndex(where: { $0.kind == .loginSucceeded })
    else { return }
    append.events[index].change(LoginSucceeded.self) { $0.client = person.client }
    guard person.userParts != person.formerUserParts else { return }
    append.lookups.append((account: account, hash: try ledger.reader.lookupHash(person.userParts)))
  }

  /// What the account's session lives by, whose place a login takes; `nil` where it has none.
  ///
  /// Also `nil` where it cannot be read: what it would tell is not worth a login.
  private func formerProof(of account: AccountID) -> (any SessionProof)? {
    (try? ledger.stored(Purpose.session, of: account))?.proof
  }

  /// Adds the fingerprints that the method wants among the attributes.
  private func tellSecrets(
    of outcome: inout Outcome, _ account: AccountID, _ key: [UInt8]?
  ) throws(GatebookError) {
    guard !outcome.fingerprints.isEmpty else { return }
    var facts = outcome.attributes.facts
    for (name, secret) in outcome.fingerprints {
      facts[name] = .text(try ledger.reader.fingerprint(of: secret, for: account, key: key))
    }
    outcome.attributes = UserAttributes(facts)
  }
}
