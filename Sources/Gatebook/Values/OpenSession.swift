/// A session with its secrets at hand, as the vault holds them now.
struct OpenSession {
  let context: SessionContext
  let state: AccountState
  let session: SessionID
  var stored: StoredSession
  var jar: CookieJar

  /// The account's own connections.
  var route: Route { Route(pool: context.account.description, trust: stored.trust) }

  /// What must still hold when something is recorded about this session (rule 4).
  var precondition: Precondition {
    .generation(context.account, session, state.generation)
  }

  /// Whether something renews it: what it has kept for that was not refused for good.
  var isRenewed: Bool {
    state.renewalEnd == nil && stored.proof.renewable?.renewal(jar: jar) != nil
  }

  /// Whether a renewal brought something about the user that could not be checked yet.
  var isUnchecked: Bool { stored.proof.tokenBearing?.isUnchecked == true }

  /// Whether this is the session that was seen, and nobody has renewed it since.
  func isStill(_ seen: OpenSession) -> Bool { state.isStill(seen) }

  /// What keeps in the vault what was changed since the session was read.
  func changes(since former: OpenSession) -> [Append.VaultChange] {
    var changes: [Append.VaultChange] = []
    if stored.record != former.stored.record {
      changes.append(stored.kept(of: context.account, generation: state.generation))
    }
    if jar.record != former.jar.record {
      changes.append(jar.kept(of: context.account, generation: state.generation))
    }
    return changes
  }

  /// The event that tells of the jar as it is.
  ///
  /// - Parameters:
  ///   - now: What has expired by then is left out.
  ///   - leaks: Names that must not be in the clear.
  ///   - cause: What led to it; `nil` for what the session was last changed by.
  /// - Returns: The event.
  func cookiesChanged(
    at now: Timestamp, besides leaks: Set<String>, cause: ProposedEvent.Cause? = nil
  ) -> ProposedEvent {
    event(ProposedEvent(of: jar, at: now, besides: leaks), cause: cause)
  }

  /// An event of this session.
  func event(
    _ facts: some EventFacts, cause: ProposedEvent.Cause? = nil, personal: Facts? = nil
  ) -> ProposedEvent {
    event(ProposedEvent(facts, personal: personal), cause: cause)
  }

  /// An event of this session.
  func event(_ event: ProposedEvent, cause: ProposedEvent.Cause? = nil) -> ProposedEvent {
    event.placed(context.account, session, cause: cause ?? .recorded(context.position))
  }
}

extension SessionContext {
  /// An event of the account and its session.
  ///
  /// - Parameters:
  ///   - facts: What happened.
  ///   - cause: What led to it; `nil` for what the account was last changed by.
  /// - Returns: The event.
  func event(_ facts: some EventFacts, cause: ProposedEvent.Cause? = nil) -> ProposedEvent {
    ProposedEvent(
      facts, account: account, session: session, cause: cause ?? .recorded(position))
  }
}

extension ProposedEvent {
  /// What tells of a jar.
  init(of jar: CookieJar, at now: Timestamp, besides leaks: Set<String>) {
    let told = jar.told(at: now, besides: leaks)
    var changed = CookiesChanged()
    changed.cookies = told.clear
    self.init(
      changed, personal: told.sealed.map { CookiesChanged.Personal(cookies: $0).facts })
  }
}

extension CookieJar {
  /// What keeps it in the vault.
  func kept(of account: AccountID, generation: Int64 = 1) -> Append.VaultChange {
    .set(account, purpose: Purpose.cookies, generation: generation, content: record.encoded)
  }
}

extension AccountState {
  /// Whether the account's session is the one that was seen, and nobody has renewed it since.
  func isStill(_ seen: OpenSession) -> Bool {
    session == seen.session && generation == seen.state.generation
  }

  /// Whether a 401 was recorded since the session was renewed.
  var isRenewedInVain: Bool {
    guard let renewed, let refusal = refusals["401"] else { return false }
    return refusal.at >= renewed.wall
  }
}

extension OpenSession {
  /// How long ago the session was made or last renewed, by the clock that can tell (rule 11).
  func age(at now: Moment) -> Duration {
    state.age(at: now) ?? max(.zero, now.wall - context.since)
  }

  /// Whether the session still serves where a renewal that was due could not be made.
  func isServing(at now: Moment) -> Bool {
    stored.proof.renewable?.isUsable(atAge: age(at: now)) == true
  }

  /// Whether what the session has is over, or so nearly that a request should not go out with it.
  func isNearlyOver(at now: Moment) -> Bool {
    stored.proof.tokenBearing?.isNearlyOver(atAge: age(at: now)) == true
  }

  /// The session's token with its end, which is the same at each call.
  func bearer(at now: Moment) -> BearerToken? {
    var token = stored.proof.tokenBearing?.bearer(since: state.sent(at: now) ?? context.since)
    token?.isRecorded = context.isRecorded
    return token
  }

  /// Whether its token is valid for longer than that; a session without one lives on.
  func lives(for duration: Duration, at now: Moment) -> Bool {
    let token = stored.proof.tokenBearing?.bearer(since: now.wall - age(at: now))
    guard let end = token?.expiresAt else { return true }
    return end - now.wall > duration
  }

  /// How long ago the session was made or last renewed, by the clock that makes it oldest.
  ///
  /// What is due by any clock is renewed: the machine may have slept in a way that its boot clock
  /// does not know, such as a virtual one that was kept on disk.
  func oldestAge(at now: Moment) -> Duration {
    state.renewed?.oldestAge(at: now, offset: state.offset) ?? age(at: now)
  }

  /// The events about clocks that are not what they were; none where nothing noticeable is new.
  ///
  /// - Parameters:
  ///   - now: Now; `nil` leaves the local clock out.
  ///   - offset: How far the server's clock is from ours; `nil` when no answer showed it.
  /// - Returns: At most one `clock.observed`, for the transaction of what observed it.
  func clockEvents(at now: Moment?, offset: Duration? = nil) -> [ProposedEvent] {
    var observed = ClockObserved()
    observed.jump = now.flatMap { state.renewed?.jump(at: $0) }
    if let offset, LifeClock.isNoticeable(offset - .microseconds(state.offset)) {
      observed.offset = offset
    }
    return observed == ClockObserved() ? [] : [event(observed)]
  }

  /// How long the session lives, as an event says it again.
  var life: Life {
    var life = Life()
    guard let renewed = state.renewed else { return life }
    life.boot = renewed.boot.map { .microseconds($0) }
    life.bootID = renewed.bootID
    life.lifetime = state.expires.map { $0 - renewed.wall }
    life.offset = renewed.offset == 0 ? nil : .microseconds(renewed.offset)
    life.isRenewable = state.isRenewable || state.renewalEnd != nil
    life.sent = renewed.wall
    return life
  }

  /// What was observed of the clocks in that life: an event that tells of its beginning alone has
  /// the fold forget it.
  func clocksAgain(cause: ProposedEvent.Cause) -> [ProposedEvent] {
    guard let renewed = state.renewed else { return [] }
    var observed = ClockObserved()
    if renewed.jumped != 0 { observed.jump = .microseconds(renewed.jumped) }
    if state.offset != renewed.offset { observed.offset = .microseconds(state.offset) }
    return observed == ClockObserved() ? [] : [event(observed, cause: cause)]
  }
}

extension OpenSession {
  /// How long ago the server gave its word for the session; `nil` where that has no limit.
  private func unconfirmed(at now: Moment) -> (length: Duration, limit: Duration)? {
    guard let span = state.offline else { return nil }
    let length = span.length(
      at: now.wall, boot: now.boot.microseconds, bootID: now.bootID)
    return (length, .microseconds(span.limit))
  }

  /// Whether the session must be confirmed before it is used again.
  func isOfflineTooLong(at now: Moment) -> Bool {
    state.offline?.isOver(at: now) ?? false
  }

  /// Whether the server is asked before the next request: the session was resumed, or half of its
  /// offline limit is over.
  ///
  /// A session in daily use so never runs into its limit.
  func needsConfirmation(at now: Moment) -> Bool {
    if case .offline = context.state { return true }
    guard let (length, limit) = unconfirmed(at: now) else { return false }
    return length > limit / 2
  }
}
