extension Challenges {
  /// Whether no account trusts any of these keys; `false` where that cannot be read.
  func trustsNone(of keys: Set<KeyHash>) -> Bool {
    guard let accounts = try? ledger.accounts() else { return false }
    return accounts.allSatisfy { account in
      (try? trust(of: account.account).keys.isDisjoint(with: keys)) ?? false
    }
  }

  /// Which TLS servers an account trusts, as decided at its logins and challenges; it is kept after
  /// the account's sessions end.
  func trust(of account: AccountID) throws(GatebookError) -> Trust {
    _ = try ledger.context(of: account)
    return try ledger.reader.trust(of: account)
  }

  /// Removes accepted and pinned keys; requests then need a valid certificate.
  @discardableResult
  func revokeTrust(
    of account: AccountID, key: KeyHash? = nil
  ) async throws(GatebookError) -> Trust {
    try await ledger.retryingOnConflict { () throws(GatebookError) in
      try await revokeOnce(account, key)
    }
  }

  /// Keeps the decision to accept a certificate, together with the event that tells of it.
  ///
  /// At once, and not at the end of its request: a revocation meanwhile then finds it.
  func accept(
    _ exception: TrustException, of account: AccountID, _ event: ProposedEvent
  ) async throws(GatebookError) {
    try await ledger.retryingOnConflict { () throws(GatebookError) in
      _ = try await ledger.commit(try accepting(exception, of: account, event))
    }
  }

  private func accepting(
    _ exception: TrustException, of account: AccountID, _ event: ProposedEvent
  ) throws(GatebookError) -> Append {
    // Read first: what somebody writes after this fails the append.
    let state = try ledger.reader.state(of: account)
    var append = Append(
      [event], precondition: .revision(account, state?.revision ?? 0),
      vault: [.keeping(try trust(of: account).accepting([exception]), of: account)])
    guard let state, var stored = try ledger.stored(Purpose.session, of: account) else {
      return append
    }
    stored.trust = stored.trust.accepting([exception])
    append.vault.append(stored.kept(of: account, generation: state.generation))
    return append
  }

  private func revokeOnce(
    _ account: AccountID, _ key: KeyHash?
  ) async throws(GatebookError) -> Trust {
    // Read first: what somebody writes after this fails the append.
    let state = try ledger.reader.state(of: account)
    let former = try trust(of: account)
    let revoked = former.exceptions.filter { key == nil || $0.key == key }
    let pins = former.pins.filter { key == nil || $0 == key }
    guard !revoked.isEmpty || !pins.isEmpty, let state else {
      throw GatebookError(
        .configurationInvalid,
        key == nil ? "The account has accepted no key." : "The account has accepted no such key.",
        remedy: key == nil
          ? "Nothing has to be revoked."
          : "List what the account trusts, then name a key of the list.")
    }
    let trust = former.revoking(key)
    var append = Append(
      revoked.map { exception in
        ProposedEvent(
          exception.decision(by: "user", "revoked"), account: account,
          cause: .recorded(state.cause))
      }, precondition: .revision(account, state.revision))
    if !pins.isEmpty {
      var decided = TrustDecided(by: "user", verdict: "revoked")
      decided.pins = pins.map(\.description)
      append.events.append(
        ProposedEvent(decided, account: account, cause: .recorded(state.cause)))
    }
    append.vault = [.keeping(trust, of: account)]
    for purpose in [Purpose.session, Purpose.credentials] {
      guard var stored = try ledger.stored(purpose, of: account) else { continue }
      stored.trust = stored.trust.revoking(key)
      append.vault.append(
        stored.kept(
          as: purpose, of: account,
          generation: purpose == Purpose.session ? state.generation : 1))
    }
    try await ledger.commitUnlessCancelled(append)
    return trust
  }
}
