extension SessionBook {
  /// Which TLS servers an account trusts, as decided at its logins and challenges; it is kept after the
  /// account's sessions end.
  ///
  /// - Throws: `configuration.invalid` for an unknown account, or a `key` or `storage` failure.
  public func trust(of account: AccountID) throws(GatebookError) -> Trust {
    _ = try context(of: account)
    return try reader.trust(of: account)
  }

  /// Removes accepted and pinned keys; requests then need a valid certificate.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - key: The key; `nil` for all of the account's.
  /// - Returns: What the account trusts now.
  /// - Throws: `configuration.invalid` when the account has no such key; a storage failure.
  @discardableResult
  public func revokeTrust(
    of account: AccountID, key: KeyHash? = nil
  ) async throws(GatebookError) -> Trust {
    try await retryingOnConflict { () throws(GatebookError) in try await revokeOnce(account, key) }
  }

  /// Keeps the decision to accept a certificate, together with the event that tells of it.
  ///
  /// At once, not when the request it was asked for has ended: whoever takes it back meanwhile takes
  /// back what there is.
  func accept(
    _ exception: TrustException, of account: AccountID, _ event: ProposedEvent
  ) async throws(GatebookError) {
    try await retryingOnConflict { () throws(GatebookError) in
      _ = try await commit(try accepting(exception, of: account, event))
    }
  }

  private func accepting(
    _ exception: TrustException, of account: AccountID, _ event: ProposedEvent
  ) throws(GatebookError) -> Append {
    // Read first: what somebody writes after this fails the append.
    let state = try reader.state(of: account)
    var append = Append([event], precondition: .revision(account, state?.revision ?? 0))
    append.vault = [.keeping(try trust(of: account).accepting([exception]), of: account)]
    guard let state, let bytes = try reader.secret(of: account, purpose: Purpose.session),
      var stored = StoredSession(bytes)
    else { return append }
    stored.trust = stored.trust.accepting([exception])
    append.vault.append(
      .set(
        account, purpose: Purpose.session, generation: state.generation, content: stored.encoded))
    return append
  }

  private func revokeOnce(
    _ account: AccountID, _ key: KeyHash?
  ) async throws(GatebookError) -> Trust {
    // Read first: what somebody writes after this fails the append.
    let state = try reader.state(of: account)
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
      guard let bytes = try reader.secret(of: account, purpose: purpose),
        var stored = StoredSession(bytes)
      else { continue }
      stored.trust = stored.trust.revoking(key)
      append.vault.append(
        .set(
          account, purpose: purpose,
          generation: purpose == Purpose.session ? state.generation : 1,
          content: stored.encoded))
    }
    try await commitUnlessCancelled(append)
    return trust
  }
}

extension Trust {
  /// The policy with further exceptions, each once.
  func accepting(_ more: [TrustException]) -> Trust {
    var trust = self
    for exception in more where !trust.exceptions.contains(exception) {
      trust.exceptions.append(exception)
    }
    return trust
  }

  /// The single keys that it names.
  var keys: Set<KeyHash> { Set(exceptions.map(\.key) + pins) }

  /// The policy without these keys.
  func without(_ keys: Set<KeyHash>) -> Trust { keys.reduce(self) { $0.revoking($1) } }

  /// The policy without a key, or without all single keys.
  func revoking(_ key: KeyHash?) -> Trust {
    var trust = self
    trust.exceptions.removeAll { key == nil || $0.key == key }
    trust.pins.removeAll { key == nil || $0 == key }
    return trust
  }
}

extension Append.VaultChange {
  /// What an account trusts from now on; the default leaves no entry.
  static func keeping(_ trust: Trust, of account: AccountID) -> Append.VaultChange {
    guard trust != .system else { return .remove(account, purpose: Purpose.trust) }
    return .set(account, purpose: Purpose.trust, generation: 1, content: trust.record.encoded)
  }
}
