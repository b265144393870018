extension AccountState {
  /// The state as canonical facts: what a projection's row holds.
  package var record: Facts {
    [
      "added": .integer(added.rawValue),
      "attributes": .optional(attributes?.rawValue),
      "cause": .integer(cause.rawValue),
      "deferral": deferral.map { .object($0.record) },
      "expires": .optional(expires?.rawValue),
      "generation": .integer(generation),
      "intent": intent.map { .object($0.record) },
      "label": .optional(label?.rawValue),
      "method": .text(method),
      // Left out without a limit.
      "offline": offline.map { .object($0.record) },
      // Left out while both clocks agree.
      "offset": offset == 0 ? nil : .integer(offset),
      // Left out when there are none: then an account without security checks has no trace of them.
      "open": openChallenges.isEmpty ? nil : .object(openFacts),
      // Left out when no server is to be told anything.
      "outbox": outbox.isEmpty ? nil : .object(outboxFacts),
      // Left out when none was tried.
      "passwords": passwordAttempts == 0 ? nil : .integer(passwordAttempts),
      "person": .integer(person.rawValue),
      "position": .integer(position.rawValue),
      "reason": .optional(state.reason?.rawValue),
      // Left out while it is.
      "renewable": isRenewable ? nil : false,
      "renewed": renewed.map { .object($0.record) },
      "revision": .integer(revision),
      "saved": .bool(savedCredentials),
      // Left out when the last one succeeded, or there was none.
      "savedUse": savedUse.map { .object($0.record) },
      "server": .text(server),
      "session": .optional(session?.description),
      "since": .integer(since.rawValue),
      "started": .optional(started?.rawValue),
      "state": .text(state.name),
      // Left out as long as every refresh was answered.
      "unanswered": unanswered == 0 ? nil : .integer(unanswered),
      "used": .integer(used.rawValue),
      "verified": .optional(verified?.rawValue),
      "verifiedAt": .optional(verifiedAt?.rawValue),
    ]
  }

  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record facts: Facts) {
    guard let added = facts.position("added"), let person = facts.position("person"),
      let cause = facts.position("cause"), let used = facts.position("used"),
      let position = facts.position("position"), let since = facts.timestamp("since"),
      let method = facts["method"]?.text, let server = facts["server"]?.text,
      let revision = facts["revision"]?.integer, let generation = facts["generation"]?.integer,
      let saved = facts["saved"]?.bool, let state = SessionState(record: facts)
    else { return nil }
    self.method = method
    self.server = server
    self.added = added
    self.person = person
    self.cause = cause
    self.used = used
    self.position = position
    self.since = since
    self.revision = revision
    self.generation = generation
    self.state = state
    savedCredentials = saved
    savedUse = facts["savedUse"]?.object.flatMap(SavedUse.init)
    label = facts.position("label")
    attributes = facts.position("attributes")
    session = facts["session"]?.text.flatMap { SessionID($0) }
    started = facts.timestamp("started")
    verified = facts.position("verified")
    verifiedAt = facts.timestamp("verifiedAt")
    renewed = facts["renewed"]?.object.flatMap(LifeClock.init)
    offset = facts["offset"]?.integer ?? 0
    expires = facts.timestamp("expires")
    isRenewable = facts["renewable"]?.bool ?? true
    intent = facts["intent"]?.object.flatMap(Intent.init)
    deferral = facts["deferral"]?.object.flatMap(Deferral.init)
    unanswered = facts["unanswered"]?.integer ?? 0
    offline = facts["offline"]?.object.flatMap(OfflineSpan.init)
    passwordAttempts = facts["passwords"]?.integer ?? 0
    let open = facts["open"]?.object ?? [:]
    for check in open.names { openChallenges[check] = open.position(check) }
    let posted = facts["outbox"]?.object ?? [:]
    for key in posted.names { outbox[key] = posted[key]?.object.flatMap(Delivery.init) }
  }

  private var openFacts: Facts {
    var facts = Facts()
    for (check, position) in openChallenges { facts[check] = .integer(position.rawValue) }
    return facts
  }
}

extension AccountState {
  private var outboxFacts: Facts {
    var facts = Facts()
    for (key, delivery) in outbox { facts[key] = .object(delivery.record) }
    return facts
  }
}

extension AccountState.Delivery {
  var record: Facts {
    [
      "at": .integer(at.rawValue),
      // Left out when the server demanded nothing.
      "demanded": demanded == 0 ? nil : .integer(demanded),
      "position": .integer(position.rawValue),
      "since": .integer(since.rawValue), "tries": .integer(tries),
      // Left out when a connection came about.
      "unreached": isUnreached ? true : nil,
      "wait": .integer(wait),
    ]
  }

  init?(record facts: Facts) {
    guard let position = facts.position("position"), let since = facts.timestamp("since"),
      let tries = facts["tries"]?.integer, let at = facts.timestamp("at"),
      let wait = facts["wait"]?.integer
    else { return nil }
    self.init(
      position: position, since: since, tries: tries, at: at, wait: wait,
      demanded: facts["demanded"]?.integer ?? 0, isUnreached: facts["unreached"]?.bool ?? false)
  }
}

extension LifeClock {
  var record: Facts {
    [
      "boot": .optional(boot), "bootID": .optional(bootID?.description),
      "jumped": jumped == 0 ? nil : .integer(jumped),
      "offset": offset == 0 ? nil : .integer(offset),
      "wall": .integer(wall.rawValue),
    ]
  }

  init?(record facts: Facts) {
    guard let wall = facts.timestamp("wall") else { return nil }
    self.init(
      wall: wall, boot: facts["boot"]?.integer,
      bootID: facts["bootID"]?.text.flatMap { BootID($0) }, offset: facts["offset"]?.integer ?? 0,
      jumped: facts["jumped"]?.integer ?? 0)
  }
}

extension AccountState.Intent {
  var record: Facts {
    [
      "attempt": .integer(attempt), "deadline": .integer(deadline.rawValue),
      "generation": .integer(generation), "position": .integer(position.rawValue),
    ]
  }

  init?(record facts: Facts) {
    guard let position = facts.position("position"), let deadline = facts.timestamp("deadline"),
      let generation = facts["generation"]?.integer, let attempt = facts["attempt"]?.integer
    else { return nil }
    self.init(
      position: position, generation: generation, attempt: attempt, deadline: deadline)
  }
}

extension AccountState.Deferral {
  var record: Facts {
    [
      "at": .integer(at.rawValue), "count": .integer(count), "demanded": .bool(isDemanded),
      "halted": .bool(isHalted), "wait": .optional(wait),
    ]
  }

  init?(record facts: Facts) {
    guard let count = facts["count"]?.integer, let isDemanded = facts["demanded"]?.bool,
      let isHalted = facts["halted"]?.bool, let at = facts.timestamp("at")
    else { return nil }
    self.init(
      count: count, at: at, wait: facts["wait"]?.integer, isDemanded: isDemanded,
      isHalted: isHalted)
  }
}

extension SessionState {
  init?(record facts: Facts) {
    let reason = facts["reason"]?.text.flatMap(EndReason.init)
    switch (facts["state"]?.text, reason) {
    case ("active", nil): self = .active
    case ("offline", nil):
      guard let verified = facts.timestamp("verifiedAt") ?? facts.timestamp("since") else {
        return nil
      }
      self = .offline(lastVerified: verified)
    case ("challenged", nil): self = .challenged
    case ("uncertain", nil): self = .uncertain
    case ("needsLogin", let reason?): self = .needsLogin(reason)
    case ("ended", let reason?): self = .ended(reason)
    default: return nil
    }
  }
}

extension Facts {
  func position(_ name: String) -> Position? {
    self[name]?.integer.map(Position.init(rawValue:))
  }

  func timestamp(_ name: String) -> Timestamp? {
    self[name]?.integer.map(Timestamp.init(rawValue:))
  }
}
