/// A login that was begun: what its events have in common.
struct LoginAttempt: Sendable {
  var session: SessionID
  var started: Position
  /// The account that the typed name leads to; `nil` when there is none yet.
  var account: AccountID?
  /// The account that it must be of, where its caller said so.
  var required: AccountID?
  /// Who was named when it began; the server may know them under another id or tenant.
  var typed: Person
  /// What the account trusted before a login with what it saved; `nil` where a person logs in.
  var trusted: Trust?
  /// The session that an automatic login replaces; `nil` if a person asked for a login.
  var former: SessionID?
  /// Which use of what was saved it is, where that is good for one; else 0.
  var use: Int64 = 0
  /// What the failure of a login with what was saved means for the next one.
  var failure: RenewalFailure?
  /// Whether anything that counts at the server has left this machine.
  var wasSent = false
  /// Whether a password was typed for it.
  var isByPassword = false
  /// What checks that password offline; only where the person allowed it.
  var verifier: OfflineVerifier?
  /// What it was asked with, as ``SavedSettings`` keep it; `nil` where an earlier login's stay.
  var settings: Facts?
  /// The last event when its options were given, where that was before it began.
  var options: Position?

  /// The account whose history it is part of: the required one, even if another was named; `nil`
  /// for the book's own.
  var stream: AccountID? { required ?? account }

  /// The last event that who permitted something for it can have known of.
  var permitted: Position { min(options ?? started, started) }
}

extension LoginAttempt {
  /// Whether its success is uncertain after a failure to record it: the one-time credential is used
  /// up, and the new one may be written later.
  func isInDoubt(after error: GatebookError) -> Bool {
    use > 0 && error.code.isOfStorage
  }

  /// An event of this attempt.
  func event(_ facts: some EventFacts, personal: Facts? = nil) -> ProposedEvent {
    event(ProposedEvent(facts, personal: personal))
  }

  /// An event of this attempt; the book's own stream holds no personal facts.
  func event(_ event: ProposedEvent) -> ProposedEvent {
    var event = event.placed(stream, session, cause: .recorded(started))
    if stream == nil { event.personal = nil }
    return event
  }

  /// The event that says how it failed.
  func failed(_ error: GatebookError) -> ProposedEvent {
    guard error.code != .cancelled else { return event(LoginCancelled()) }
    var failed = LoginFailed()
    failed.failure = Failure(error)
    if trusted == nil {
      failed.retryAfter = error.retryAfter
    } else {
      let failure = failure ?? RenewalFailure(ofLogin: error, use: use)
      failure.fill(&failed, use: use, wasSent: wasSent)
      // Our own back-off is no wish of the server's.
      if let wait = failed.retryAfter, let demanded = error.retryAfter {
        failed.retryAfter = min(wait, demanded)
      }
    }
    return event(failed)
  }
}

extension LoginAttempt: StoredRecord {
  /// The attempt for the vault, while it waits; its session is stored beside the record.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    account = facts.optional("account", kept?.account)
    let client = facts.optional("client", kept?.typed.client, unless: "")
    let family = try facts.required("family", kept?.typed.family)
    let loginName = try facts.required("loginName", kept?.typed.loginName)
    let server = try facts.required("server", kept?.typed.server)
    settings = facts.optional("settings", kept?.settings)
    started = Position(rawValue: try facts.required("started", kept?.started.rawValue))
    let tenant = try facts.required("tenant", kept?.typed.tenant)
    let userID = try facts.required("userID", kept?.typed.userID)
    typed = Person(
      family: family, server: server, tenant: tenant, client: client, userID: userID,
      loginName: loginName)
    session = kept?.session ?? SessionID(high: 0, low: 0)
  }
}

/// What a login method keeps besides its session, in the same transaction.
struct LoginAdditions: Sendable {
  /// Events that follow `login.succeeded`.
  var events: [ProposedEvent] = []
  /// Further secrets of the account, by their purposes.
  var vault: [(purpose: String, content: [UInt8])] = []
  /// Where something of these was kept until now; the login fails when it is gone.
  var kept: SessionID?
}

/// A login that is in the book, and what its delegate is still to hear of it.
struct LoggedIn: Sendable {
  let context: SessionContext
  /// In this order; empty where somebody else was faster.
  var news: [LoginNews] = []
}

/// What a login delegate hears.
enum LoginNews: Sendable {
  case response(SessionContext)
  case saved(SessionContext)
  case failed(GatebookError)
  case loaded(SessionContext)
}
