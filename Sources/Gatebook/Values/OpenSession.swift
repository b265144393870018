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
    let (changed, personal) = CookiesChanged.telling(of: jar, at: now, besides: leaks)
    return event(changed, cause: cause, personal: personal)
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

extension CookiesChanged {
  /// What tells of a jar.
  static func telling(
    of jar: CookieJar, at now: Timestamp, besides leaks: Set<String>
  ) -> (facts: CookiesChanged, personal: Facts?) {
    let told = jar.told(at: now, besides: leaks)
    var changed = CookiesChanged()
    changed.cookies = told.clear
    return (changed, told.sealed.map { Personal(cookies: $0).facts })
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
}
