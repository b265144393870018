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
  var isRenewed: Bool { state.renewalEnd == nil && stored.proof.renewal(jar: jar) != nil }

  /// Whether this is the session that was seen, and nobody has renewed it since.
  func isStill(_ seen: OpenSession) -> Bool { state.isStill(seen) }

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
    let told = jar.told(at: now, besides: leaks)
    return event(.cookiesChanged, cause: cause, data: told.data, personal: told.personal)
  }

  /// An event of this session.
  func event(
    _ facts: some EventFacts, cause: ProposedEvent.Cause? = nil, personal: Facts? = nil
  ) -> ProposedEvent {
    ProposedEvent(
      facts, account: context.account, session: session,
      cause: cause ?? .recorded(context.position), personal: personal)
  }

  /// An event of this session.
  func event(
    _ kind: EventKind, cause: ProposedEvent.Cause? = nil, data: Facts = [:], personal: Facts? = nil
  ) -> ProposedEvent {
    ProposedEvent(
      kind, account: context.account, session: session,
      cause: cause ?? .recorded(context.position), data: data, personal: personal)
  }
}

extension AccountState {
  /// Whether the account's session is the one that was seen, and nobody has renewed it since.
  func isStill(_ seen: OpenSession) -> Bool {
    session == seen.session && generation == seen.state.generation
  }
}
