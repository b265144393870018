extension AccountState: FoldedRow {
  package static let blank = AccountState()

  private init() {
    (method, server) = ("", "")
    (added, person, cause, used, position) = (.start, .start, .start, .start, .start)
    (state, since, revision) = (.active, .epoch, 0)
  }

  package mutating func code(with row: inout some FactsCoder) {
    row.code("added", &added)
    row.code("attributes", &attributes)
    row.code("cause", &cause)
    row.code("client", &client)
    row.code("deferral", &deferral)
    row.code("distrust", &distrust)
    row.code("doubt", &doubt)
    row.code("expires", &expires)
    row.code("formerEnd", &formerEnd)
    row.code("generation", &generation)
    // Whatever a strange row says, there is a next one.
    generation = min(generation, .max - 1)
    row.code("intent", &intent)
    row.code("label", &label)
    row.code("method", &method)
    row.code("offline", &offline)
    row.code("offset", &offset, unless: 0)
    row.code("open", values: &openChallenges)
    row.code("outbox", values: &outbox)
    row.code("passwords", &passwordAttempts, unless: 0)
    row.code("person", &person)
    row.code("position", &position)
    var reason = state.reason
    row.code("reason", &reason)
    row.code("refusals", values: &refusals)
    row.code("renewable", &isRenewable, unless: true)
    row.code("renewalEnd", &renewalEnd)
    row.code("renewed", &renewed)
    row.code("revision", &revision)
    row.code("saved", &savedCredentials)
    row.code("savedUse", &savedUse)
    row.code("server", &server)
    row.code("session", &session)
    row.code("since", &since)
    row.code("started", &started)
    var name = state.name
    row.code("state", &name)
    row.code("unanswered", &unanswered, unless: 0)
    row.code("used", &used)
    row.code("verified", &verified)
    row.code("verifiedAt", &verifiedAt)
    guard let known = SessionState(name, reason, verifiedAt: verifiedAt ?? since) else {
      return row.refuse()
    }
    state = known
  }
}

extension AccountState.Delivery: FactsRecord {
  package static let blank = AccountState.Delivery(
    position: .start, since: .epoch, tries: 0, at: .epoch, wait: 0)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("at", &at)
    row.code("demanded", &demanded, unless: 0)
    row.code("position", &position)
    row.code("since", &since)
    row.code("tries", &tries)
    row.code("unreached", &isUnreached, unless: false)
    row.code("wait", &wait)
  }
}

extension AccountState.Refusal: FactsRecord {
  package static let blank = AccountState.Refusal(position: .start, at: .epoch)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("at", &at)
    row.code("position", &position)
    row.code("unprovable", &isUnprovable, unless: false)
  }
}

extension AccountState.Intent: FactsRecord {
  package static let blank = AccountState.Intent(
    position: .start, generation: 0, attempt: 0, deadline: .epoch)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("attempt", &attempt)
    row.code("deadline", &deadline)
    row.code("generation", &generation)
    row.code("position", &position)
    row.code("token", &isOfToken, unless: false)
  }
}

extension AccountState.RenewalEnd: FactsRecord {
  package static let blank = AccountState.RenewalEnd(position: .start, reason: .refused)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("position", &position)
    row.code("reason", &reason)
  }
}

extension AccountState.Doubt: FactsRecord {
  package static let blank = AccountState.Doubt(at: .epoch, isHeard: false)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("at", &at)
    row.code("heard", &isHeard)
  }
}

extension AccountState.Deferral: FactsRecord {
  package static let blank = AccountState.Deferral(
    count: 0, at: .epoch, wait: nil, isDemanded: false, isHalted: false)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("at", &at)
    row.code("count", &count)
    row.code("demanded", &isDemanded)
    row.code("halted", &isHalted)
    row.code("wait", &wait)
  }
}

extension SessionState {
  /// The state of a name; `nil` where no state of that name has such a reason.
  fileprivate init?(_ name: String, _ reason: EndReason?, verifiedAt: Timestamp) {
    switch (name, reason) {
    case ("active", nil): self = .active
    case ("offline", nil): self = .offline(lastVerified: verifiedAt)
    case ("challenged", nil): self = .challenged
    case ("uncertain", nil): self = .uncertain
    case ("needsLogin", let reason?): self = .needsLogin(reason)
    case ("ended", let reason?): self = .ended(reason)
    default: return nil
    }
  }
}
