/// The state of one account now or at a past moment, computed from the events: who it is, whether
/// it can be used, and on what evidence.
///
/// Source: Login Screenlet, `SessionContext`.
public struct SessionContext: Identifiable, Hashable, Sendable {
  /// The account.
  public let account: AccountID
  /// The account's label; `nil` if there is none.
  public let label: Personal<String>?
  /// The login method, such as `http` or `liferay-cookie`.
  public let method: String
  /// The server: `scheme://host[:port]`.
  public let server: String
  /// The client with which the user logs in, such as an OAuth client's id or a MobileFirst app.
  ///
  /// `nil` for a method without one, and for an account of an older book until its next login.
  ///
  /// Two clients at one server are two accounts; for Liferay, whose modes are one account, there is
  /// none.
  public let client: String?
  /// The user name that was typed at the last login.
  public let loginName: Personal<String>
  /// What the server says about the user.
  public let attributes: Personal<UserAttributes>
  /// Whether it is the book's current account.
  public let isCurrent: Bool
  /// Its session, the last one when it has ended.
  public let session: SessionID?
  /// Whether it can be used.
  public private(set) var state: SessionState
  /// The time since when it has been in this state.
  public private(set) var since: Timestamp
  /// When the server last confirmed the session.
  public private(set) var lastVerified: Timestamp?
  /// When the session expires, if known; a session that can be renewed is then renewed at its next
  /// use.
  public let expiresAt: Timestamp?
  /// Counts the session's secrets: 1 after the login, one more after each renewal.
  public let generation: Int64
  /// The security checks that wait for an answer; after a crash, unanswered ones stay here.
  public let openChallenges: [String]
  /// The event that caused the state.
  public let position: Position
  /// Whether the state is in the log.
  ///
  /// `false` if it could not be written yet because of a full disk or read-only media. Also `false`
  /// for changes by time or by the end of a process, until something records them. Such changes are
  /// `needsLogin` of an expired session and `uncertain` of a session whose process ended during the
  /// renewal.
  public private(set) var isRecorded: Bool

  /// Whether the server has not confirmed the session for longer than its login allows: it ends at
  /// the next use unless the server confirms it.
  public private(set) var isPastOfflineLimit = false

  /// Why the session can no longer be renewed although it is still used; `nil` if it can.
  ///
  /// The server rejected its refresh token. The access token works until ``expiresAt``, or until
  /// the server rejects it; then the account needs a login for this reason.
  public private(set) var renewalEnd: EndReason?

  /// How many renewals in a row have failed since the last one that succeeded.
  package let failedRenewals: Int64
  /// Before this time no renewal is made unless a request needs it, or somebody asks; `nil` where
  /// none waits.
  package let nextRenewal: Timestamp?

  /// Whether the session's life, or its time without the server, has a known end: then it changes
  /// without an event.
  package let endsWithTime: Bool
  /// Whether something that it has kept makes it live on past `expiresAt`.
  package let renewsItself: Bool
  /// How long it may be used without the server confirming it; `nil` for any time.
  package let offlineLimit: Duration?
  /// When the session's secrets were asked for, by every clock that can tell.
  private let life: LifeClock?
  /// How far the server's clock is from ours, in microseconds.
  private let offset: Int64

  /// How long the session's known life still is, whatever the wall clock says; `nil` where it is
  /// not known.
  package func remainingLife(at now: Moment) -> Duration? {
    guard let expiresAt, let life else { return nil }
    return expiresAt - life.wall - life.age(at: now, offset: offset)
  }

  /// The account, which the context is the state of.
  public var id: AccountID { account }

  /// The user's attributes; empty when they cannot be seen.
  public var user: UserAttributes { attributes.value ?? UserAttributes() }

  /// The context after a renewal that could not be written yet.
  package func renewed(at moment: Timestamp) -> SessionContext {
    var context = self
    context.state = .active
    context.lastVerified = moment
    context.isPastOfflineLimit = false
    context.isRecorded = false
    context.renewalEnd = nil
    return context
  }

  /// The context after an end that nobody has recorded yet.
  package func ended(_ end: SessionEnd) -> SessionContext {
    var context = self
    context.state = .needsLogin(end.reason)
    context.since = end.at
    context.isRecorded = false
    context.renewalEnd = nil
    return context
  }

  /// The context of a session whose renewal has lost its process, and nobody has recorded that yet.
  package func doubted() -> SessionContext {
    var context = self
    context.state = .uncertain
    context.isRecorded = false
    return context
  }

  /// The context of a session that is past its offline limit.
  package func pastOfflineLimit() -> SessionContext {
    var context = self
    context.isPastOfflineLimit = true
    return context
  }

  /// The context of a restore that could not be written.
  package func unrecorded(lastVerified: Timestamp) -> SessionContext {
    var context = self
    context.state = .offline(lastVerified: lastVerified)
    context.isRecorded = false
    return context
  }

  package init(
    _ id: AccountID, _ state: AccountState, isCurrent: Bool, label: Personal<String>?,
    loginName: Personal<String>, attributes: Personal<UserAttributes>
  ) {
    account = id
    self.label = label
    method = state.method
    server = state.server
    client = state.client
    self.loginName = loginName
    self.attributes = attributes
    self.isCurrent = isCurrent
    session = state.session
    self.state = state.state
    since = state.since
    lastVerified = state.verifiedAt
    expiresAt = state.expires
    generation = state.generation
    endsWithTime = state.endsWithTime
    // What was sent so often without an answer is sent no more unless somebody insists.
    renewsItself =
      state.isRenewable && state.unanswered < SavedUse.maximumUses || state.logsInAgain
    renewalEnd = state.state.isUsable ? state.renewalEnd?.reason : nil
    failedRenewals = state.state.isUsable ? state.deferral?.count ?? 0 : 0
    nextRenewal = state.state.isUsable ? state.deferral?.until : nil
    offlineLimit = state.offline.map { .microseconds($0.limit) }
    life = state.renewed
    offset = state.offset
    openChallenges = state.openChallenges.keys.sorted {
      $0.utf8.lexicographicallyPrecedes($1.utf8)
    }
    position = state.cause
    isRecorded = true
  }
}
