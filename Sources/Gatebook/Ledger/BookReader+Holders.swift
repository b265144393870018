extension BookReader {
  /// The accounts whose credentials go to a URL: that logged in there, or were allowed to.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - now: Expiries count as of this time.
  /// - Returns: The accounts, with or without a session.
  /// - Throws: `storage` failures.
  func accounts(at url: HTTPURL, now: Moment) throws(GatebookError) -> [SessionContext] {
    try owners(of: url, now: now).map(\.context)
  }

  /// The accounts whose credentials go to a URL, with what a program could send there.
  ///
  /// - Parameters:
  ///   - url: Where the program sends it; the path `/` stands for the whole server.
  ///   - realms: The realms that the server takes a password for; `nil` where that is not known.
  ///   - now: Expiries count as of this time.
  /// - Returns: The accounts, with or without a session.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func credentialHolders(
    at url: HTTPURL, realms: [String]? = nil, now: Moment
  ) throws(GatebookError) -> [CredentialHolder] {
    // A renewal between two reads would give the former token the life of the new one.
    try inSnapshot { () throws(GatebookError) -> [CredentialHolder] in
      try owners(of: url, now: now).map { (context, stored) throws(GatebookError) in
        guard context.state.isUsable, let stored, let state = try state(of: context.account),
          let session = state.session
        else { return CredentialHolder(context: context, credential: nil, isReady: false) }
        let open = OpenSession(
          context: context, state: state, session: session, stored: stored, jar: CookieJar())
        return CredentialHolder(
          context: context, credential: open.credential(at: url, realms: realms, now: now),
          isReady: open.isReady(at: now))
      }
    }
  }

  /// The access token of an account, if nothing has to be done for it.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - lifetime: For how long the token must be valid.
  ///   - scopes: What it must be good for.
  ///   - now: Expiries count as of this time.
  /// - Returns: What `SessionBook.token(for:minimumLifetime:scopes:)` would return without asking a
  ///   server and without writing to the book; `nil` if it would do either, or would fail. `nil`
  ///   also while messages wait for a server: a book that is open for writing delivers them.
  /// - Throws: `storage` failures.
  package func readyToken(
    of account: AccountID, minimumLifetime lifetime: Duration, scopes: [String], now: Moment
  ) throws(GatebookError) -> BearerToken? {
    // A renewal between two reads would give the former token the life of the new one.
    try inSnapshot { () throws(GatebookError) -> BearerToken? in
      let accounts = try accounts(at: now)
      for other in accounts {
        guard try state(of: other.account)?.outbox.isEmpty != false else { return nil }
      }
      guard let context = accounts.first(where: { $0.account == account }), context.state.isUsable,
        let stored = try secret(of: account, purpose: Purpose.session)
          .flatMap({ StoredSession($0) }),
        let state = try state(of: account), let session = state.session
      else { return nil }
      let open = OpenSession(
        context: context, state: state, session: session, stored: stored, jar: CookieJar())
      guard open.isReady(at: now) else { return nil }
      return open.token(minimumLifetime: lifetime, scopes: scopes, at: now)
    }
  }

  private func owners(
    of url: HTTPURL, now: Moment
  ) throws(GatebookError) -> [(context: SessionContext, stored: StoredSession?)] {
    var owners: [(context: SessionContext, stored: StoredSession?)] = []
    for context in try accounts(at: now) where context.state != .ended(.erased) {
      let stored = (try? secret(of: context.account, purpose: Purpose.session))
        .flatMap { $0 }.flatMap { StoredSession($0) }
      if stored?.owns(url) ?? wasFor(url, context) { owners.append((context, stored)) }
    }
    return owners
  }

  /// Whether the last login of an account without a session was for a URL.
  private func wasFor(_ url: HTTPURL, _ context: SessionContext) -> Bool {
    if context.server == url.origin.description { return true }
    let settings = try? savedSettings(of: context.account)
    return settings?.options.origins.contains(url.origin) == true
  }
}

extension OpenSession {
  /// What another program could send to a URL in the account's name; `nil` for nothing.
  func credential(
    at url: HTTPURL, realms: [String]?, now: Moment
  ) -> ProgramCredential? {
    if let proof = stored.proof.passwordBearing {
      for realm in realms ?? [nil] as [String?] {
        guard let found = proof.password(at: url, realm: realm) else { continue }
        return ProgramCredential(
          account: context.account, kind: .password, user: found.user, secret: found.password,
          expiresAt: nil, isRecorded: context.isRecorded)
      }
      return nil
    }
    return bearer(at: now).map { ProgramCredential($0, of: context) }
  }

  /// The access token of a session that may be used as it is, if it is good for that.
  func token(
    minimumLifetime lifetime: Duration, scopes: [String], at now: Moment
  ) -> BearerToken? {
    // A session that may be used is valid for a moment at least.
    guard lifetime <= .zero || lives(for: lifetime, at: now), let token = bearer(at: now) else {
      return nil
    }
    return token.missing(scopes).isEmpty ? token : nil
  }

  /// Whether the session may be used as it is: no renewal is due, and no question to the server.
  func isReady(at now: Moment) -> Bool {
    switch context.state {
    case .active, .offline: break
    default: return false
    }
    let renewable = stored.proof.renewable
    return !state.isQuestioned && !isUnchecked && !state.isOver(at: now)
      && !isOfflineTooLong(at: now)
      && renewable?.needsRenewal(atAge: oldestAge(at: now)) != true
      && !isNearlyOver(at: now) && lives(for: .zero, at: now)
  }
}
