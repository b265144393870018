internal import GatebookStore

/// Everything that the rules of `why` know of an account: its context, its state, the vault, the
/// locks and the log.
struct AccountSituation {
  /// The account as apps see it.
  var context: SessionContext
  /// What else the folds know.
  var folded: AccountState
  /// The time to answer for: sessions that have ended by then are described as ended; `nil`: only
  /// the log counts.
  var now: Moment?
  /// What led to the state, in the order of the book.
  var events: [RecordedEvent]
  /// Those at the account's own server.
  var ownEvents: [RecordedEvent]
  /// Those of ``ownEvents`` that tell how the account's own secrets were received.
  var ofUse: [RecordedEvent]
  /// What is left of the saved credentials.
  var saved: SavedLogin
  /// What the vault has of the session's secrets.
  var kept: KeptSession
  /// Whether nothing can be recorded, because the disk is full.
  var isDiskFull: Bool
  /// Why the session ended, in more words than its reason; `nil` if the reason says it all.
  var endCause: Sentence?
  /// Which scopes the session lost with a renewal; `nil` for none.
  var lostScopes: (names: [String], since: Timestamp)?
  /// That the server is not trusted now; `nil` if it is, or that was not checked.
  var distrust: Sentence?
  /// The requests that the server refused lately without refusing the session.
  var refusals: [RecordedEvent]
  /// The last automatic work that has no recorded end.
  var begun: UnfinishedWork?
  /// Who holds the lock that renewals need, although nothing else says why; `nil` for nobody.
  var lockHolder: LockHolder?
  /// Whether a login with saved credentials was begun and its process is gone.
  var hasOrphanedLogin: Bool
  /// The process that delivers to the servers, or is stopped while doing so.
  var deliverer: LockHolder?
  /// Whether the refresh token is good for one use only.
  var isSpentByUse: Bool
  /// The triggers of renewals that failed since the last confirmation.
  var heldUpTriggers: Set<String>
  /// Whether too many wrong passwords were tried offline for another one to be checked.
  var isClosedOffline: Bool
  /// Whether its tokens were granted to the application itself.
  var isByToken: Bool
  /// Whether a login waits for the person.
  var hasOpenLogin: Bool
  /// Whether the last login that a person began has no recorded end.
  var hasUnendedLogin: Bool
}

// MARK: The state

extension AccountSituation {
  var isActive: Bool { context.state == .active }
  var isUncertain: Bool { context.state == .uncertain }
  var isErased: Bool { context.state == .ended(.erased) }

  var isOffline: Bool {
    if case .offline = context.state { true } else { false }
  }

  var needsLogin: Bool {
    if case .needsLogin = context.state { true } else { false }
  }

  var isEnded: Bool {
    if case .ended = context.state { true } else { false }
  }

  /// Whether the session is used: its state allows it, and its secrets are there.
  var isInUse: Bool { context.state.isUsable && kept.isUsable }

  /// Whether a server is still to be told of a session that has ended.
  var owesMessage: Bool { !folded.outbox.isEmpty }

  /// Whether it was logged out to be erased, and no end of that is recorded.
  var isErasing: Bool {
    events.compactMap { $0.facts(of: LogoutRequested.self) }.last?.by == "erase"
  }

  /// Whether it has ended without an answer.
  var isUnanswered: Bool {
    events.compactMap { $0.facts(of: SessionEnded.self) }.last?.isUnanswered == true
  }

  /// Whether the server has refused both the token and the saved password.
  var areBothRefused: Bool { events.areBothRefused }

  /// How a login failed that was to be as strong as demanded.
  var stepUpFailure: FailureCode? { events.stepUpFailure }

  /// Whether the session has nothing left that is sent automatically: the refresh token counts as
  /// used up, and no credentials were saved.
  var needsInsistence: Bool {
    folded.renewalEnd == nil && folded.unanswered >= SavedUse.maximumUses
      && (saved == .gone || saved == .changed || !folded.logsInAgain)
  }

  /// Whether the server has refused what the session has, and it could not be renewed since.
  var isRefused: Bool { heldUpTriggers.contains(RenewalTrigger.refused.rawValue) }

  /// Whether what the session has is over.
  var isOver: Bool {
    guard folded.expires != nil else {
      // How long it lives is known to who uses it alone, as with cookies: it had to be renewed.
      return heldUpTriggers.contains(RenewalTrigger.needed.rawValue)
    }
    return now.map { folded.isOver(at: $0) } ?? false
  }

  /// The last request that the server refused lately with a status that says so: 401 or 403.
  var refusal: RecordedEvent? {
    // A 400 that the server can be asked about is explained by that question.
    refusals.last { refusal in
      refusal.facts(of: RequestRefused.self).map { $0.status != 400 || $0.isUnprovable } ?? false
    }
  }

  /// Until when every server that is still to be told demanded to be left alone; `nil` where one
  /// may be told now, or none is.
  var silence: Timestamp? {
    // A clock that was set back since says nothing of how long that is.
    guard let now, folded.outbox.values.allSatisfy({ $0.at <= now.wall }),
      let until = folded.outbox.values.map(\.demandedUntil).min(), until > now.wall
    else { return nil }
    return until
  }

  /// Until when the server demanded that nothing is renewed; `nil` where that is over, or never
  /// was.
  var renewalSilence: Timestamp? {
    guard let now, let deferral = folded.deferral, deferral.isDemanded, let until = deferral.until,
      deferral.at <= now.wall, until > now.wall
    else { return nil }
    return until
  }
}

extension AccountState {
  /// Whether a renewal is under way, or the last one has failed.
  var isHeldUp: Bool { intent != nil || deferral != nil }
}

extension BookReader {
  /// A refusal counts as a late one for so long, also where the server has confirmed the session
  /// since.
  private static let lateness = Duration.seconds(3600)

  /// The requests of a session that the server refused since it last confirmed the session, or
  /// within the last hour, in the order of the book.
  ///
  /// - Throws: Storage failures.
  func lateRefusals(
    _ state: AccountState, at now: Moment?
  ) throws(GatebookError) -> [RecordedEvent] {
    let late = state.refusals.values.filter { refusal in
      refusal.position > state.verified ?? .start
        || now.map { refusal.at <= $0.wall && $0.wall - refusal.at < Self.lateness } == true
    }
    var events: [RecordedEvent] = []
    for position in late.map(\.position).sorted() {
      if let event = try event(at: position) { events.append(event) }
    }
    return events
  }

  /// What for the session was to be renewed since the server last confirmed it, and was not.
  ///
  /// - Parameters:
  ///   - state: The account's state.
  ///   - events: What led to it.
  /// - Returns: The triggers of those renewals, such as `401`; none where one has succeeded since.
  /// - Throws: Storage failures.
  func heldUpTriggers(
    _ state: AccountState, _ events: [RecordedEvent]
  ) throws(GatebookError) -> Set<String> {
    guard state.deferral != nil else { return [] }
    var triggers: Set<String> = []
    for failure in events where failure.isKind(.refreshDeferred) {
      guard state.verifiedAt.map({ $0 <= failure.at }) != false, let cause = failure.cause,
        let start = try event(at: cause)
      else { continue }
      if let trigger = start.facts(of: RefreshStarted.self)?.trigger.known {
        triggers.insert(trigger)
      }
    }
    return triggers
  }
}

/// A renewal, or a login with what was saved, that has no recorded end.
struct UnfinishedWork {
  /// How it began.
  let start: RecordedEvent
  /// Whether the process that began it holds its lock: it is working, or is stopped; `nil` if that
  /// cannot be seen.
  let isHeld: Bool?

  /// Whether it is a renewal.
  var isRenewal: Bool { start.isKind(.refreshStarted) }

  /// The process that works on it, or is stopped while doing so; `nil` for none.
  var holder: String? { isHeld == true ? start.author : nil }
}
