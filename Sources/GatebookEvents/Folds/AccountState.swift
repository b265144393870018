/// The fold of one account's stream.
///
/// For a personal fact it holds the *position* of the event whose encrypted facts are current: a
/// fold never decrypts, so it needs no key and erasing touches no projection.
package struct AccountState: Hashable, Sendable {
  /// A renewal that was started, and its outcome is not recorded.
  package struct Intent: Hashable, Sendable {
    package var position: Position
    package var generation: Int64
    package var attempt: Int64
    package var deadline: Timestamp
    /// Whether a token was to be sent, and no password.
    package var isOfToken = false
  }

  /// Renewals that failed for a reason that may pass, since the last one that succeeded.
  package struct Deferral: Hashable, Sendable {
    /// How many in a row.
    package var count: Int64
    /// When the last one failed.
    package var at: Timestamp
    /// How long none is made then without being asked for, in microseconds; `nil` where the event
    /// tells none.
    package var wait: Int64?
    /// Whether the server named that time.
    package var isDemanded: Bool
    /// Whether a saved password is sent again only on request.
    package var isHalted: Bool

    /// When the next one may be made.
    package var until: Timestamp? { wait.map { at + .microseconds($0) } }
  }

  /// The server's refusal of the refresh token of a session whose access token is still used.
  package struct RenewalEnd: Hashable, Sendable {
    /// The event that tells of it.
    package var position: Position
    /// Why the session needs a login when its access token is over.
    package var reason: EndReason
  }

  /// An answer of a renewal that was lost, and not only unreadable.
  package struct Doubt: Hashable, Sendable {
    /// When that was recorded.
    package var at: Timestamp
    /// Whether the process that waited for the answer recorded it; otherwise another one found that
    /// it had ended.
    package var isHeard: Bool
  }

  /// Something that a server is still to be told.
  package struct Delivery: Hashable, Sendable {
    /// The event that put it here.
    package var position: Position
    /// When that was.
    package var since: Timestamp
    package var tries: Int64
    /// When it was tried last.
    package var at: Timestamp
    /// How long it waits then, in microseconds.
    package var wait: Int64
    /// How much of that the server demanded, in microseconds; the rest is our own back-off.
    package var demanded: Int64 = 0
    /// Whether no connection came about when it was tried last.
    package var isUnreached = false

    /// Until when the server demanded to be left alone.
    package var demandedUntil: Timestamp { at + .microseconds(demanded) }

    /// Whether it is time to try again; a clock that was set back makes it so.
    ///
    /// - Parameters:
    ///   - now: Now.
    ///   - occasion: Says whether our own back-off counts; what a server demanded always does.
    /// - Returns: Whether it is.
    package func isDue(at now: Timestamp, on occasion: DeliveryOccasion = .time) -> Bool {
      let isForgiven =
        switch occasion {
        case .time: false
        case .network: isUnreached
        case .asked: true
        }
      return now < at || now >= (isForgiven ? demandedUntil : at + .microseconds(wait))
    }
  }

  /// A request that the server refused without refusing the session.
  package struct Refusal: Hashable, Sendable {
    package var position: Position
    package var at: Timestamp
    /// Whether nothing can ask the server if the session is valid, so that it is not asked.
    package var isUnprovable = false
  }

  package var method: String
  package var server: String
  /// The client by which the person logs in; `nil` where no event names one.
  package var client: String?
  package var added: Position
  package var label: Position?
  package var person: Position
  package var attributes: Position?
  package var savedCredentials = false
  /// What became of the last login with what was saved; `nil` when it succeeded, or there was none.
  package var savedUse: SavedUse?
  package var session: SessionID?
  package var started: Timestamp?
  package var state: SessionState
  package var since: Timestamp
  /// How the session had ended when its account was logged out or erased; `nil` where that was its
  /// end.
  package var formerEnd: SessionEnd?
  package var cause: Position
  package var verified: Position?
  package var verifiedAt: Timestamp?
  /// How long the session has been unconfirmed; `nil` if it has no offline limit.
  package var offline: OfflineSpan?
  /// When the secrets were asked for; `nil` before the first login.
  package var renewed: LifeClock?
  /// How far the server's clock was last seen to be from ours, in microseconds.
  package var offset: Int64 = 0
  package var expires: Timestamp?
  /// Whether there is something that makes the session live on after `expires`.
  package var isRenewable = true
  package var generation: Int64 = 0
  package var intent: Intent?
  package var deferral: Deferral?
  /// Why the session can no longer be renewed; `nil` where it can.
  package var renewalEnd: RenewalEnd?
  /// How often the present refresh token was sent without an answer: it may be spent.
  package var unanswered: Int64 = 0
  /// The last answer that was lost; `nil` where the server has answered what was sent then.
  package var doubt: Doubt?
  /// How many passwords were tried offline since the last right one, or since the server took one.
  package var passwordAttempts: Int64 = 0
  /// The security checks that wait for an answer, by name, with the events that asked.
  package var openChallenges: [String: Position] = [:]
  /// The refusal of a server's certificate or key, where that server was not trusted again since.
  package var distrust: Position?
  /// The last request of the session that was refused with a status, by that status.
  package var refusals: [String: Refusal] = [:]
  /// What servers are still to be told, by the name of the secrets for it.
  package var outbox: [String: Delivery] = [:]
  package var used: Position
  package var revision: Int64
  package var position: Position

  /// Whether the server has answered 400 to a request since it last confirmed the session: some
  /// servers answer so to a token that they have forgotten.
  package var isQuestioned: Bool {
    refusals["400"].map { !$0.isUnprovable && $0.position > verified ?? .start } ?? false
  }

  /// The state after the stream's first event, `account.added`.
  package init(added entry: LogEntry) {
    let added = AccountAdded(entry)
    method = added.method
    server = added.server
    client = added.client
    self.added = entry.position
    label = added.isLabelled ? entry.position : nil
    person = entry.position
    state = .needsLogin(.secretMissing)
    since = entry.at
    cause = entry.position
    used = entry.position
    revision = entry.revision
    position = entry.position
  }

  /// How old the session's secrets are; `nil` before the first login.
  package func age(at now: Moment) -> Duration? {
    renewed?.age(at: now, offset: offset)
  }

  /// When the request was sent that brought the session's secrets, by the wall clock as it is set
  /// now; `nil` before the first login.
  package func sent(at now: Moment) -> Timestamp? {
    renewed?.sent(at: now, offset: offset)
  }

  /// Whether what was saved may log the account in again without being asked: none of it was
  /// refused.
  package var logsInAgain: Bool { savedCredentials && savedUse?.isHalted != true }

  /// Whether the session has an expiry and only an explicit login can renew it: no refresh token,
  /// no saved password, no saved credentials.
  package var endsByItself: Bool {
    state.isUsable && expires != nil && !isRenewable && !logsInAgain
  }

  /// Whether the known life of what the session has is over.
  package func isOver(at now: Moment) -> Bool {
    guard let expires, let renewed, let age = age(at: now) else { return false }
    return age >= expires - renewed.wall
  }

  /// How the session ended: what comes later to its account, such as a logout, changes nothing of
  /// that.
  package var end: SessionEnd? {
    formerEnd ?? state.reason.map { SessionEnd(reason: $0, at: since) }
  }

  /// The end of a session that has passed without an event: of its known life.
  package func unrecordedEnd(at now: Moment) -> SessionEnd? {
    guard hasExpired(at: now), let expires else { return nil }
    return SessionEnd(reason: renewalEnd?.reason ?? .expired, at: expires)
  }

  /// Whether the session is past its offline limit.
  ///
  /// It has not ended for that: the next use asks the server, and ends it only without its word.
  package func isPastOfflineLimit(at now: Moment) -> Bool {
    state.isUsable && offline?.isOver(at: now) == true
  }

  /// Whether the state changes with the time alone.
  var endsWithTime: Bool {
    (state.isUsable && offline != nil) || endsByItself
  }

  /// Whether the session's known life is over, and nothing but a login makes it live on.
  ///
  /// The log does not say so yet: the next writer records it.
  package func hasExpired(at now: Moment) -> Bool { endsByItself && isOver(at: now) }

  /// The events that the state names by their positions: they are kept with the state.
  package var namedEvents: [Position] {
    [added, label, person, attributes, cause, verified, intent?.position, savedUse?.position]
      .compactMap(\.self) + openChallenges.values + outbox.values.map(\.position)
  }
}

/// Why what waits for a server is looked at: says how much of our own back-off counts.
package enum DeliveryOccasion: Sendable {
  /// Time has passed: all of it counts.
  case time
  /// The network is back: only that of a server that was reached and could not do it.
  case network
  /// Somebody asks: none of it.
  case asked
}
