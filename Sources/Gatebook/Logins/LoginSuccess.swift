/// What a successful login writes, in one transaction and in the order of the event format.
struct LoginSuccess {
  var outcome: Outcome
  let attempt: LoginAttempt
  let challenges: [AuthenticatorRun.Challenge]
  var options: LoginOptions
  /// Certificates that were accepted on the way; those events are in the log already.
  var accepted: [TrustException]
  /// Credentials that were given for challenges on the way.
  var given: [GivenCredential]
  let moment: Moment
  /// What else the method keeps.
  var besides = LoginAdditions()
  /// What becomes of the means to check the password offline.
  var verifier = OfflineVerifier.Change.none

  /// The events and the secrets.
  ///
  /// - Parameters:
  ///   - account: The account that logged in.
  ///   - isNew: Whether it comes into being with this.
  ///   - attributes: What the book knew of the user before.
  ///   - kept: What the account keeps for challenges.
  ///   - trusted: Which servers the account trusted before.
  /// - Returns: One append: all of it is recorded, or nothing.
  func append(
    for account: AccountID, isNew: Bool, attributes: UserAttributes, kept: KeptCredentials,
    trusted: Trust
  ) -> Append {
    let trust = options.trusting(trusted).trust.accepting(accepted)
    let stored = StoredSession(
      proof: outcome.proof, origins: options.origins, trust: trust,
      given: kept.adding(given))
    var events = attempt.events(for: challenges, account: isNew ? attempt.account : account)
    if isNew { events.append(added(account)) }
    events.append(succeeded(account))
    let cause = ProposedEvent.Cause.proposed(events.count - 1)
    if let offset = outcome.offset, LifeClock.isNoticeable(offset) {
      var observed = ClockObserved()
      observed.offset = offset
      events.append(event(observed, account, cause))
    }
    if !isNew, let label = options.label {
      events.append(
        event(
          AccountRenamed(), account, cause,
          personal: AccountRenamed.Personal(label: label).facts))
    }
    // A login by a kept token tells nothing of the user: what is known stays.
    let tellsNothing = !isNew && outcome.attributes.names.isEmpty
    if !tellsNothing,
      let changed = AttributeChange(
        from: attributes, to: outcome.attributes, besides: outcome.leaks)
    {
      events.append(
        event(changed.facts, account, cause, personal: changed.personal))
    }
    if let moved = outcome.moved {
      events.append(event(moved, account, cause))
    }
    if !outcome.jar.isEmpty {
      let told = outcome.jar.told(at: moment.wall, besides: outcome.leaks)
      events.append(event(.cookiesChanged, account, cause, told.data, personal: told.personal))
    }
    events += permissions(account, cause, trusted)
    var vault: [Append.VaultChange] = [
      .set(account, purpose: Purpose.session, generation: 1, content: stored.encoded),
      .set(
        account, purpose: Purpose.cookies, generation: 1, content: outcome.jar.record.encoded),
      .remove(account, purpose: Purpose.refused),
      .remove(account, purpose: Purpose.stepUp),
    ]
    events += besides.events.map {
      event($0.kind, account, cause, $0.data, personal: $0.personal)
    }
    vault += besides.vault.map { purpose, content in
      .set(account, purpose: purpose, generation: 1, content: content)
    }
    if let kept = besides.kept { vault.append(.endAttempt(kept)) }
    // What the last login said counts; what it did not replace stays.
    vault.append(.keeping(trust, of: account))
    if let change = Challenges.change(of: account, from: kept, adding: given) {
      events.append(event(CredentialsSaved(purpose: "challenge"), account, cause))
      vault.append(change)
    }
    // A token that renews nothing would be no login: then there is nothing to save.
    let isSaved = options.saveCredentials && outcome.saved.canLogInAgain
    if isSaved {
      var saved = CredentialsSaved(purpose: "login")
      saved.storage.isOffline = verifier.isNew
      events.append(event(saved, account, cause))
      var credentials = stored
      credentials.proof = outcome.saved
      vault.append(
        .set(account, purpose: Purpose.credentials, generation: 1, content: credentials.encoded))
    }
    if let change = verifier.change(of: account) {
      vault.append(change)
      if let told = verifier.event(savesCredentials: isSaved) {
        events.append(event(told.kind, account, cause, told.data))
      }
    }
    if let settings = attempt.settings?.encoded {
      vault.append(.set(account, purpose: Purpose.settings, generation: 1, content: settings))
    }
    var append = Append(events)
    append.vault = vault
    return append
  }

  func index(of kind: EventKind, in append: Append) -> Int {
    append.events.firstIndex { $0.kind == kind } ?? 0
  }

  private func added(_ account: AccountID) -> ProposedEvent {
    let person = outcome.person
    var added = AccountAdded(method: method, server: person.server.description)
    added.client = person.client.isEmpty ? nil : person.client
    added.isLabelled = options.label != nil
    return ProposedEvent(
      added, account: account, session: attempt.session, cause: .recorded(attempt.started),
      personal: AccountAdded.Personal(
        label: options.label, tenant: person.tenant, user: person.loginName,
        userID: person.userID
      ).facts)
  }

  private func succeeded(_ account: AccountID) -> ProposedEvent {
    let person = outcome.person
    var succeeded = LoginSucceeded(
      evidence: outcome.evidence.rawValue, generation: 1, method: method,
      server: person.server.description)
    succeeded.offlineLimit = options.offlineLimit
    succeeded.grant = outcome.grant
    succeeded.life = outcome.recordedLife(at: moment)
    return ProposedEvent(
      succeeded, account: account, session: attempt.session,
      cause: .recorded(attempt.started),
      personal: LoginSucceeded.Personal(
        tenant: person.tenant, user: person.loginName, userID: person.userID
      ).facts)
  }

  private func permissions(
    _ account: AccountID, _ cause: ProposedEvent.Cause, _ trusted: Trust
  ) -> [ProposedEvent] {
    var events = options.origins.map { origin in
      event(OriginAllowed(origin), account, cause)
    }
    for origin in [outcome.proof.origin] + options.origins where origin.isCleartext {
      var decided = TrustDecided(
        by: "user", "accepted", host: origin.host, port: Int64(origin.port))
      decided.defects = ["cleartext"]
      events.append(event(decided, account, cause))
    }
    // What was decided before is in the log already.
    let isNew = { (exception: TrustException) in !trusted.exceptions.contains(exception) }
    events += options.trust.exceptions.filter(isNew).map { exception in
      event(exception.decision(by: "user", "accepted"), account, cause)
    }
    if !options.trust.pins.isEmpty, options.trust.pins != trusted.pins {
      let origin = outcome.proof.origin
      var decided = TrustDecided(
        by: "user", "pinned", host: origin.host, port: Int64(origin.port))
      decided.pins = options.trust.pins.map(\.description)
      events.append(event(decided, account, cause))
    }
    return events
  }

  private var method: String { type(of: outcome.proof).method }

  private func event(
    _ facts: some EventFacts, _ account: AccountID, _ cause: ProposedEvent.Cause,
    personal: Facts? = nil
  ) -> ProposedEvent {
    ProposedEvent(
      facts, account: account, session: attempt.session, cause: cause, personal: personal)
  }

  private func event(
    _ kind: EventKind, _ account: AccountID, _ cause: ProposedEvent.Cause, _ data: Facts = [:],
    personal: Facts? = nil
  ) -> ProposedEvent {
    ProposedEvent(
      kind, account: account, session: attempt.session, cause: cause, data: data,
      personal: personal)
  }
}
