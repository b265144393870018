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
  /// What else the method keeps.
  var besides = LoginAdditions()
  let moment: Moment
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
    var told = findings(isNew: isNew, attributes) + permissions(trusted) + besides.events
    var vault: [Append.VaultChange] = [
      stored.kept(of: account), outcome.jar.kept(of: account),
      .remove(account, purpose: Purpose.refused), .remove(account, purpose: Purpose.stepUp),
    ]
    vault += besides.vault.map { purpose, content in
      .set(account, purpose: purpose, generation: 1, content: content)
    }
    if let kept = besides.kept { vault.append(.endAttempt(kept)) }
    // What the last login said counts; what it did not replace stays.
    vault.append(.keeping(trust, of: account))
    if let change = Challenges.change(of: account, from: kept, adding: given) {
      told.append(ProposedEvent(CredentialsSaved(purpose: "challenge")))
      vault.append(change)
    }
    if isSaved {
      var saved = CredentialsSaved(purpose: "login")
      saved.storage.isOffline = verifier.isNew
      told.append(ProposedEvent(saved))
      var credentials = stored
      credentials.proof = outcome.saved
      vault.append(credentials.kept(as: Purpose.credentials, of: account))
    }
    if let change = verifier.change(of: account) {
      vault.append(change)
      if let event = verifier.event(savesCredentials: isSaved) { told.append(event) }
    }
    if let settings = attempt.settings?.encoded {
      vault.append(.set(account, purpose: Purpose.settings, generation: 1, content: settings))
    }
    events += told.map { $0.placed(account, attempt.session, cause: cause) }
    return Append(events, vault: vault)
  }

  /// Whether it saves credentials.
  ///
  /// A token that renews nothing would be no login: then there is nothing to save.
  var isSaved: Bool { options.saveCredentials && outcome.saved.canLogInAgain }

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
      personal: AccountAdded.Personal(label: options.label, personal).facts)
  }

  private func succeeded(_ account: AccountID) -> ProposedEvent {
    var succeeded = LoginSucceeded(
      evidence: outcome.evidence.rawValue, generation: 1, method: method,
      server: outcome.person.server.description)
    succeeded.offlineLimit = options.offlineLimit
    succeeded.grant = outcome.grant
    succeeded.life = outcome.recordedLife(at: moment)
    return ProposedEvent(
      succeeded, account: account, session: attempt.session,
      cause: .recorded(attempt.started),
      personal: personal.facts)
  }

  /// Who logged in.
  private var personal: LoginSucceeded.Personal {
    let person = outcome.person
    return LoginSucceeded.Personal(
      tenant: person.tenant, user: person.loginName, userID: person.userID)
  }

  /// What the login found out of the server and the user.
  private func findings(isNew: Bool, _ attributes: UserAttributes) -> [ProposedEvent] {
    var told: [ProposedEvent] = []
    if let offset = outcome.offset, LifeClock.isNoticeable(offset) {
      var observed = ClockObserved()
      observed.offset = offset
      told.append(ProposedEvent(observed))
    }
    if !isNew, let label = options.label {
      told.append(
        ProposedEvent(AccountRenamed(), personal: AccountRenamed.Personal(label: label).facts))
    }
    // A login by a kept token tells nothing of the user: what is known stays.
    let tellsNothing = !isNew && outcome.attributes.names.isEmpty
    if !tellsNothing,
      let changed = ProposedEvent(
        changing: attributes, to: outcome.attributes, besides: outcome.leaks)
    {
      told.append(changed)
    }
    if let moved = outcome.moved { told.append(ProposedEvent(moved)) }
    if !outcome.jar.isEmpty {
      told.append(ProposedEvent(of: outcome.jar, at: moment.wall, besides: outcome.leaks))
    }
    return told
  }

  /// What the user permitted with the login.
  private func permissions(_ trusted: Trust) -> [ProposedEvent] {
    var told = options.origins.map { ProposedEvent(OriginAllowed($0)) }
    for origin in [outcome.proof.origin] + options.origins where origin.isCleartext {
      var decided = TrustDecided(
        by: "user", "accepted", host: origin.host, port: Int64(origin.port))
      decided.defects = ["cleartext"]
      told.append(ProposedEvent(decided))
    }
    // What was decided before is in the log already.
    let isNew = { (exception: TrustException) in !trusted.exceptions.contains(exception) }
    told += options.trust.exceptions.filter(isNew).map { exception in
      ProposedEvent(exception.decision(by: "user", "accepted"))
    }
    if !options.trust.pins.isEmpty, options.trust.pins != trusted.pins {
      let origin = outcome.proof.origin
      var decided = TrustDecided(
        by: "user", "pinned", host: origin.host, port: Int64(origin.port))
      decided.pins = options.trust.pins.map(\.description)
      told.append(ProposedEvent(decided))
    }
    return told
  }

  private var method: String { type(of: outcome.proof).method }
}

extension LoginSuccess {
  /// The success of a run that has finished.
  init(
    _ outcome: Outcome, of attempt: LoginAttempt, _ ending: AuthenticatorRun.Ending,
    _ options: LoginOptions, at moment: Moment, besides: LoginAdditions = LoginAdditions()
  ) {
    self.init(
      outcome: outcome, attempt: attempt, challenges: ending.challenges, options: options,
      accepted: ending.conversation.accepted, given: ending.conversation.given, besides: besides,
      moment: moment)
  }
}
