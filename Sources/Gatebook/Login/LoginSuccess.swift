/// What a successful login writes, in one transaction and in the order of the event format.
struct LoginSuccess {
  var outcome: Outcome
  let attempt: LoginAttempt
  let challenges: [AuthenticatorRun.Challenge]
  var options: LoginOptions
  /// Certificates that were accepted on the way; those events stand in the log already.
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
      events.append(
        event(.clockObserved, account, cause, ["offset": .integer(offset.microseconds)]))
    }
    if !isNew, let label = options.label {
      events.append(
        event(.accountRenamed, account, cause, personal: ["label": .text(label)]))
    }
    // A login by a kept token tells nothing of the user: what is known stays.
    let tellsNothing = !isNew && outcome.attributes.names.isEmpty
    if !tellsNothing,
      let changed = AttributeChange(
        from: attributes, to: outcome.attributes, besides: outcome.echoes)
    {
      events.append(
        event(.attributesChanged, account, cause, changed.data, personal: changed.personal))
    }
    if let moved = outcome.moved {
      events.append(event(.discoveryChanged, account, cause, moved))
    }
    if !outcome.jar.isEmpty {
      let told = outcome.jar.told(at: moment.wall, besides: outcome.echoes)
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
    if let change = SessionBook.change(of: account, from: kept, adding: given) {
      events.append(event(.credentialsSaved, account, cause, ["purpose": "challenge"]))
      vault.append(change)
    }
    // A token that renews nothing would be no login: then there is nothing to save.
    let isSaved = options.saveCredentials && outcome.saved.canLogInAgain
    if isSaved {
      let data: Facts = ["offline": verifier.isNew ? true : nil, "purpose": "login"]
      events.append(event(.credentialsSaved, account, cause, data))
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
    var personal = identity
    personal["label"] = .optional(options.label)
    return ProposedEvent(
      .accountAdded, account: account, session: attempt.session,
      cause: .recorded(attempt.started),
      data: [
        "client": outcome.person.client.isEmpty ? nil : .text(outcome.person.client),
        "labelled": options.label == nil ? nil : true, "method": .text(method),
        "server": .text(outcome.person.server.description),
      ],
      personal: personal)
  }

  private func succeeded(_ account: AccountID) -> ProposedEvent {
    var data: Facts = [
      "evidence": .text(outcome.evidence.rawValue), "generation": 1, "method": .text(method),
      "offlineLimit": .optional(options.offlineLimit?.microseconds),
      "server": .text(outcome.person.server.description),
    ]
    outcome.tellGrant(in: &data)
    outcome.tellLife(in: &data, at: moment)
    return ProposedEvent(
      .loginSucceeded, account: account, session: attempt.session,
      cause: .recorded(attempt.started), data: data, personal: identity)
  }

  private func permissions(
    _ account: AccountID, _ cause: ProposedEvent.Cause, _ trusted: Trust
  ) -> [ProposedEvent] {
    var events = options.origins.map { origin in
      event(.originAllowed, account, cause, origin.facts)
    }
    for origin in [outcome.proof.origin] + options.origins where origin.isCleartext {
      var data = origin.facts
      data["by"] = "user"
      data["defects"] = .list(["cleartext"])
      data["scheme"] = nil
      data["verdict"] = "accepted"
      events.append(event(.trustDecided, account, cause, data))
    }
    // What was decided before is in the log already.
    let isNew = { (exception: TrustException) in !trusted.exceptions.contains(exception) }
    events += options.trust.exceptions.filter(isNew).map { exception in
      event(.trustDecided, account, cause, exception.decision(by: "user", "accepted"))
    }
    if !options.trust.pins.isEmpty, options.trust.pins != trusted.pins {
      let pins = options.trust.pins.map { FactValue.text($0.description) }
      events.append(
        event(
          .trustDecided, account, cause,
          [
            "by": "user", "host": .text(outcome.proof.origin.host), "pins": .list(pins),
            "port": .integer(Int64(outcome.proof.origin.port)), "verdict": "pinned",
          ]))
    }
    return events
  }

  private var method: String { type(of: outcome.proof).method }

  private var identity: Facts {
    [
      "tenant": .text(outcome.person.tenant), "user": .text(outcome.person.loginName),
      "userID": .text(outcome.person.userID),
    ]
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

extension Origin {
  /// Whether what goes there can be read on the way.
  var isCleartext: Bool { !isSecure && !isLoopback }

  /// The origin as an event tells it.
  var facts: Facts {
    ["host": .text(host), "port": .integer(Int64(port)), "scheme": .text(scheme)]
  }
}
