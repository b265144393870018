extension AccountState {
  /// Takes the stream's next event.
  package mutating func apply(_ entry: LogEntry) {
    revision = entry.revision
    position = entry.position
    // Nothing of an account that is gone changes any more: what comes late is only history (rule 4).
    guard state != .ended(.erased) else { return }
    post(entry)
    countPasswords(entry)
    switch entry.kind {
    case .accountRenamed: label = entry.position
    case .accountSwitched: used = entry.position
    case .attributesChanged: attributes = entry.position
    case .credentialsSaved where isAboutLogin(entry): save(true)
    case .credentialsRemoved where isAboutLogin(entry): save(false)
    case .credentialsLoaded where isAboutLogin(entry):
      savedUse = SavedUse(entry, after: savedUse)
    case .loginFailed, .loginCancelled:
      if entry.session == savedUse?.session { savedUse?.fail(entry) }
      if entry.data.bool("shared") == true { unanswered = 0 }
    case .refreshDiscarded where entry.data.bool("saved") == true: savedUse = nil
    case .loginSucceeded: logIn(entry)
    case .accountErased: erase(entry)
    // A late event of a session that is no longer the account's changes nothing (rule 4).
    default: if entry.session == session, session != nil { applyToSession(entry) }
    }
  }

  /// What a server is to be told outlives its session.
  private mutating func post(_ entry: LogEntry) {
    // Of most kinds nothing has to be read.
    switch entry.kind {
    case .logoutRequested, .refreshDiscarded, .sessionEnded, .loginFailed, .loginCancelled:
      if let key = entry.data.text("outbox") { put(key, entry) }
    // After the end of its login this stands alone; else it repeats what the event before it says.
    case .revocationQueued where entry.data.text("reason") != nil:
      if let key = entry.data.text("outbox") { put(key, entry) }
    case .logoutCompleted, .revocationFailed:
      if let key = entry.data.text("outbox") { putOff(key, entry) }
    case .revocationSucceeded:
      if let key = entry.data.text("outbox") { outbox[key] = nil }
    default: break
    }
  }

  /// A server was told, or it is to be told again later.
  private mutating func putOff(_ key: String, _ entry: LogEntry) {
    guard let wait = entry.data.integer("retryAfter") else {
      outbox[key] = nil
      return
    }
    outbox[key]?.tries.increase()
    outbox[key]?.at = entry.at
    outbox[key]?.wait = wait
    outbox[key]?.demanded = entry.data.integer("demandedWait") ?? 0
    outbox[key]?.isUnreached = entry.data.text("code") == FailureCode.networkUnreachable.rawValue
  }

  private mutating func put(_ key: String, _ entry: LogEntry) {
    outbox[key] = Delivery(
      position: entry.position, since: entry.at, tries: 0, at: entry.at, wait: 0)
  }

  /// Whether credentials log in by themselves: they are neither those of a challenge in front of the
  /// server nor what checks a password offline.
  private func isAboutLogin(_ entry: LogEntry) -> Bool {
    let purpose = entry.data.text("purpose")
    return purpose != "challenge" && purpose != "offline"
  }

  /// What logs in by itself was saved or removed: what became of the former says nothing any more.
  private mutating func save(_ isSaved: Bool) {
    savedCredentials = isSaved
    savedUse = nil
  }

  /// Counts the passwords that were tried without the server.
  ///
  /// A session's end or a login that nobody typed a password for gives no new tries.
  private mutating func countPasswords(_ entry: LogEntry) {
    switch entry.kind {
    case .challengeReceived where entry.data.text("source") == "offline":
      passwordAttempts.increase()
    case .credentialsSaved where entry.data.bool("offline") == true: passwordAttempts = 0
    case .sessionRestored where entry.data.text("evidence") == "password": passwordAttempts = 0
    default: break
    }
  }

  private mutating func logIn(_ entry: LogEntry) {
    method = entry.data.text("method") ?? method
    server = entry.data.text("server") ?? server
    client = client ?? entry.data.text("client")
    session = entry.session
    started = entry.at
    person = entry.position
    used = entry.position
    expires = nil
    formerEnd = nil
    offset = 0
    openChallenges = [:]
    refusals = [:]
    distrust = nil
    if entry.session == savedUse?.session { savedUse = nil }
    offline = entry.data.integer("offlineLimit").map {
      OfflineSpan(limit: $0, at: entry.at, boot: nil)
    }
    confirm(entry)
  }

  /// Its secrets are gone with its key: nothing logs it in again, and no server can be told anything.
  ///
  /// Where its personal facts stand is kept: whoever looks there finds them forgotten.
  private mutating func erase(_ entry: LogEntry) {
    // Of a session, it tells that its own logout ended that.
    if entry.session == nil { formerEnd = end }
    enter(.ended(.erased), entry)
    save(false)
    outbox = [:]
    deferral = nil
    unanswered = 0
  }

  private mutating func applyToSession(_ entry: LogEntry) {
    // What has ended stays ended: only a login begins anew, only a logout still has a say (rule 4).
    guard state.isUsable || entry.kind == .logoutRequested else { return }
    switch entry.kind {
    case .challengeReceived:
      if let check = entry.data.text("check") { openChallenges[check] = entry.position }
    case .challengeAnswered, .challengeCancelled, .challengeFailed, .checkSucceeded:
      if let check = entry.data.text("check") { openChallenges[check] = nil }
    case .refreshStarted:
      intent = Intent(
        position: entry.position, generation: entry.data.integer("generation") ?? 0,
        attempt: entry.data.integer("attempt") ?? 1,
        deadline: Timestamp(rawValue: entry.data.integer("deadline") ?? 0),
        isOfToken: entry.data.text("fingerprint") != nil)
    case .refreshSucceeded:
      confirm(entry)
      if entry.data.bool("saved") == true { savedUse = nil }
    case .refreshFailed: endRenewal(entry)
    case .refreshDeferred: deferRenewal(entry)
    case .sessionRestored:
      enter(.offline(lastVerified: verifiedAt ?? entry.at), entry, keepsIntent: true)
      offline?.count(
        to: entry.at, boot: entry.data.integer("boot"), bootID: Self.bootID(of: entry))
    case .sessionVerified:
      enter(.active, entry, keepsIntent: true)
      heed(entry)
    case .sessionUncertain:
      enter(.uncertain, entry)
      unanswered = entry.data.integer("attempt") ?? unanswered
      // With a status the server has answered, whatever that means.
      doubt =
        entry.data.integer("status") == nil
        ? Doubt(at: entry.at, isHeard: entry.data.text("code") != nil) : nil
    case .clockObserved: observe(entry)
    case .trustDecided:
      distrust = entry.data.text("verdict") == "refused" ? entry.position : nil
    case .requestRefused:
      if let status = entry.data.integer("status"), (400..<500).contains(status) {
        refusals["\(status)"] = Refusal(
          position: entry.position, at: entry.at,
          isUnprovable: entry.data.bool("unprovable") == true)
      }
    case .sessionExpired:
      enter(.needsLogin(reason(entry, "reason") ?? .expired), entry)
      // It is recorded when somebody looks, and was so before.
      since = min(expires ?? entry.at, entry.at)
    case .sessionEnded:
      enter(.needsLogin(reason(entry, "reason") ?? .refused), entry)
      savedUse = SavedUse(endOfSession: entry, after: savedUse) ?? savedUse
      if entry.data.bool("halted") == true { savedUse = SavedUse(refusedBy: entry) }
    case .logoutRequested:
      formerEnd = end
      enter(.ended(by(entry)), entry)
      savedUse = SavedUse(endOfSession: entry, after: savedUse) ?? savedUse
    default: break
    }
  }

  /// A renewal failed for a reason that may pass: the session is as it was.
  private mutating func deferRenewal(_ entry: LogEntry) {
    // Older versions gave up on refresh tokens too: only a password is not sent again.
    let isOfToken = intent?.isOfToken ?? (savedUse?.fingerprint != nil)
    let isHalted = entry.data.bool("halted") == true && !isOfToken
    intent = nil
    unanswered = entry.data.integer("attempt") ?? unanswered
    var count = deferral?.count ?? 0
    // One use that tries again fails once.
    if count == 0 || entry.data.bool("repeated") != true { count.increase() }
    deferral = Deferral(
      count: count,
      at: entry.at, wait: entry.data.integer("retryAfter"),
      isDemanded: entry.data.bool("demanded") ?? false,
      isHalted: isHalted || deferral?.isHalted == true)
  }

  /// A renewal failed for good; where a reason is given, the session is still used but not renewed.
  private mutating func endRenewal(_ entry: LogEntry) {
    intent = nil
    guard let reason = reason(entry, "reason") else { return }
    // What became of what was sent is known now.
    if state == .uncertain { enter(.active, entry) }
    renewalEnd = RenewalEnd(position: entry.position, reason: reason)
    isRenewable = false
    if deferral?.isHalted == false { deferral = nil }
    unanswered = entry.data.integer("attempt") ?? unanswered
    savedUse = SavedUse(endOfSession: entry, after: savedUse) ?? savedUse
    if entry.data.bool("halted") == true { savedUse = SavedUse(refusedBy: entry) }
  }

  /// The server's clock, or our own, is not what it was.
  private mutating func observe(_ entry: LogEntry) {
    offset = entry.data.integer("offset") ?? offset
    if let jump = entry.data.integer("jump"), let jumped = renewed?.jumped {
      renewed?.jumped = jumped.addingReportingOverflow(jump).partialValue
    }
  }

  /// The server confirmed the session and gave it new secrets.
  private mutating func confirm(_ entry: LogEntry) {
    enter(.active, entry)
    heed(entry)
    // Behind the greatest number there is no next renewal: such an event is a stranger's.
    generation = min(entry.data.integer("generation") ?? generation, .max - 1)
    offset = entry.data.integer("offset") ?? 0
    let clock = LifeClock(
      wall: entry.data.integer("sent").map(Timestamp.init(rawValue:)) ?? entry.at,
      boot: entry.data.integer("boot"), bootID: Self.bootID(of: entry), offset: offset)
    renewed = clock
    expires = entry.data.integer("lifetime").map { clock.wall + .microseconds($0) }
    isRenewable = entry.data.bool("renewable") ?? true
    deferral = nil
    doubt = nil
    renewalEnd = nil
    unanswered = 0
  }

  /// The server gave its word for the session.
  private mutating func heed(_ entry: LogEntry) {
    verified = entry.position
    verifiedAt = entry.at
    distrust = nil
    // What repeats the beginning of a former life tells besides when the word came.
    let isPartial = entry.data.bool("partial") == true
    offline = offline.map {
      OfflineSpan(
        limit: $0.limit, at: entry.at,
        boot: entry.data.integer(isPartial ? "answerBoot" : "boot"),
        bootID: Self.bootID(of: entry, isPartial ? "answerBootID" : "bootID"))
    }
  }

  private static func bootID(of entry: LogEntry, _ name: StaticString = "bootID") -> BootID? {
    entry.data.text(name).flatMap { BootID($0) }
  }

  /// A renewal that is under way goes on where the session is only resumed or verified meanwhile: nothing
  /// is known of its answer then (rule 2).
  private mutating func enter(
    _ next: SessionState, _ entry: LogEntry, keepsIntent: Bool = false
  ) {
    state = next
    if !next.isUsable {
      openChallenges = [:]
      refusals = [:]
      distrust = nil
    }
    since = entry.at
    cause = entry.position
    if !keepsIntent { intent = nil }
  }

  private func by(_ entry: LogEntry) -> EndReason {
    // Who is to be erased is not yet: until `account.erased` the user has only logged out.
    entry.data.text("by") == "policy" ? .policy : .user
  }

  private func reason(_ entry: LogEntry, _ name: StaticString) -> EndReason? {
    entry.data.text(name).flatMap(EndReason.init)
  }
}
