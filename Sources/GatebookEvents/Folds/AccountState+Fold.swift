extension AccountState {
  /// Takes the stream's next event.
  package mutating func apply(_ entry: LogEntry) {
    revision = entry.revision
    position = entry.position
    // An erased account does not change: late events are only history (rule 4).
    guard state != .ended(.erased) else { return }
    post(entry)
    countPasswords(entry)
    switch entry.kind {
    case .accountRenamed: label = entry.position
    case .accountSwitched: used = entry.position
    case .attributesChanged: attributes = entry.position
    case .credentialsSaved where isAboutLogin(CredentialsSaved(entry).storage.purpose): save(true)
    case .credentialsRemoved where isAboutLogin(CredentialsRemoved(entry).storage.purpose):
      save(false)
    case .credentialsLoaded where isAboutLogin(CredentialsLoaded(entry).purpose):
      savedUse = SavedUse(CredentialsLoaded(entry), entry, after: savedUse)
    case .loginFailed: fail(LoginFailed(entry), entry)
    case .loginCancelled: fail(LoginFailed(LoginCancelled(entry)), entry)
    case .refreshDiscarded where RefreshDiscarded(entry).isSaved: savedUse = nil
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
    case .logoutRequested: put(LogoutRequested(entry).outbox, entry)
    case .refreshDiscarded: put(RefreshDiscarded(entry).outbox, entry)
    case .sessionEnded: put(SessionEnded(entry).outbox, entry)
    case .loginFailed: put(LoginFailed(entry).outbox, entry)
    case .loginCancelled: put(LoginCancelled(entry).outbox, entry)
    case .revocationQueued:
      let queued = RevocationQueued(entry)
      // After the end of its login this is the only record; otherwise it repeats the event before
      // it.
      if queued.reason != nil { put(queued.outbox.known, entry) }
    case .logoutCompleted:
      let completed = LogoutCompleted(entry)
      putOff(completed.outbox, entry, completed.wait, completed.failure)
    case .revocationFailed:
      let failed = RevocationFailed(entry)
      putOff(failed.outbox, entry, failed.wait, failed.failure)
    case .revocationSucceeded:
      if let key = RevocationSucceeded(entry).outbox { outbox[key] = nil }
    default: break
    }
  }

  /// A server was told, or it is to be told again later.
  private mutating func putOff(
    _ key: String?, _ entry: LogEntry, _ wait: Wait, _ failure: Failure
  ) {
    guard let key else { return }
    guard let next = wait.retryAfter else {
      outbox[key] = nil
      return
    }
    outbox[key]?.tries.increase()
    outbox[key]?.at = entry.at
    outbox[key]?.wait = next.microseconds
    outbox[key]?.demanded = wait.demanded?.microseconds ?? 0
    outbox[key]?.isUnreached = failure.code == .networkUnreachable
  }

  private mutating func put(_ key: String?, _ entry: LogEntry) {
    guard let key else { return }
    outbox[key] = Delivery(
      position: entry.position, since: entry.at, tries: 0, at: entry.at, wait: 0)
  }

  /// Whether credentials log in automatically: they are neither those of a proxy's challenge nor
  /// what checks a password offline.
  private func isAboutLogin(_ purpose: String) -> Bool {
    purpose != "challenge" && purpose != "offline"
  }

  private mutating func fail(_ failed: LoginFailed, _ entry: LogEntry) {
    if entry.session == savedUse?.session { savedUse?.fail(failed, entry) }
    if failed.isShared { unanswered = 0 }
  }

  /// Saved credentials were replaced or removed: the fate of the former ones no longer matters.
  private mutating func save(_ isSaved: Bool) {
    savedCredentials = isSaved
    savedUse = nil
  }

  /// Counts the passwords that were tried without the server.
  ///
  /// A session's end or a login that nobody typed a password for gives no new tries.
  private mutating func countPasswords(_ entry: LogEntry) {
    switch entry.kind {
    case .challengeReceived where ChallengeReceived(entry).challenge.source == "offline":
      passwordAttempts.increase()
    case .credentialsSaved where CredentialsSaved(entry).storage.isOffline: passwordAttempts = 0
    case .sessionRestored where SessionRestored(entry).evidence == "password": passwordAttempts = 0
    default: break
    }
  }

  private mutating func logIn(_ entry: LogEntry) {
    let login = LoginSucceeded(entry)
    if !login.method.isEmpty { method = login.method }
    if !login.server.isEmpty { server = login.server }
    client = client ?? login.client
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
    offline = login.offlineLimit.map {
      OfflineSpan(limit: $0.microseconds, at: entry.at, boot: nil)
    }
    confirm(login.life, generation: login.generation, entry)
    heed(entry, boot: login.life.boot, bootID: login.life.bootID)
  }

  /// Its secrets are gone with its key: nothing logs it in again, and no server can be told
  /// anything.
  ///
  /// The positions of its personal facts are kept: readers find them forgotten.
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
    // An ended session stays ended: only a login begins a new one, only a logout still counts (rule
    // 4).
    guard state.isUsable || entry.kind == .logoutRequested else { return }
    switch entry.kind {
    case .challengeReceived:
      if let check = ChallengeReceived(entry).challenge.check {
        openChallenges[check] = entry.position
      }
    case .challengeAnswered: close(ChallengeAnswered(entry).challenge.check)
    case .challengeCancelled: close(ChallengeCancelled(entry).challenge.check)
    case .challengeFailed: close(ChallengeFailed(entry).challenge.check)
    case .checkSucceeded: close(CheckSucceeded(entry).check)
    case .refreshStarted:
      let started = RefreshStarted(entry)
      intent = Intent(
        position: entry.position, generation: started.generation, attempt: started.attempt,
        deadline: started.deadline, isOfToken: started.fingerprint != nil)
    case .refreshSucceeded: renew(RefreshSucceeded(entry), entry)
    case .refreshFailed: endRenewal(RefreshFailed(entry), entry)
    case .refreshDeferred: deferRenewal(RefreshDeferred(entry), entry)
    case .sessionRestored:
      let restored = SessionRestored(entry)
      enter(.offline(lastVerified: verifiedAt ?? entry.at), entry, keepsIntent: true)
      offline?.count(
        to: entry.at, boot: restored.boot?.microseconds, bootID: restored.bootID)
    case .sessionVerified:
      let verified = SessionVerified(entry)
      enter(.active, entry, keepsIntent: true)
      heed(entry, boot: verified.boot, bootID: verified.bootID)
    case .sessionUncertain:
      let uncertain = SessionUncertain(entry)
      enter(.uncertain, entry)
      unanswered = uncertain.attempt ?? unanswered
      // With a status the server has answered, whatever that means.
      doubt =
        uncertain.failure.status == nil
        ? Doubt(at: entry.at, isHeard: uncertain.failure.code != nil) : nil
    case .clockObserved: observe(ClockObserved(entry))
    case .trustDecided:
      distrust = TrustDecided(entry).verdict == "refused" ? entry.position : nil
    case .requestRefused:
      let refused = RequestRefused(entry)
      if let status = refused.status, (400..<500).contains(status) {
        refusals["\(status)"] = Refusal(
          position: entry.position, at: entry.at, isUnprovable: refused.isUnprovable)
      }
    case .sessionExpired:
      enter(.needsLogin(SessionExpired(entry).reason ?? .expired), entry)
      // It is recorded when somebody looks, and was so before.
      since = min(expires ?? entry.at, entry.at)
    case .sessionEnded:
      let ended = SessionEnded(entry)
      enter(.needsLogin(ended.reason ?? .refused), entry)
      count(ended.fingerprint, ended.attempt, isHalted: ended.isHalted, entry)
    case .logoutRequested:
      let requested = LogoutRequested(entry)
      formerEnd = end
      // Who is to be erased is not yet: until `account.erased` the user has only logged out.
      enter(.ended(requested.by == "policy" ? .policy : .user), entry)
      count(requested.fingerprint, requested.attempt, isHalted: false, entry)
    default: break
    }
  }

  private mutating func close(_ check: String?) {
    if let check { openChallenges[check] = nil }
  }

  /// Counts the uses of a token that a session shares with what was saved.
  private mutating func count(
    _ fingerprint: String?, _ attempt: Int64?, isHalted: Bool, _ entry: LogEntry
  ) {
    if let fingerprint, let attempt {
      savedUse = SavedUse(of: fingerprint, attempt, in: entry, after: savedUse)
    }
    if isHalted { savedUse = SavedUse(refusedBy: entry) }
  }

  /// A renewal failed for a reason that may pass: the session is as it was.
  private mutating func deferRenewal(_ deferred: RefreshDeferred, _ entry: LogEntry) {
    // Older versions gave up on refresh tokens too: only a password is not sent again.
    let isOfToken = intent?.isOfToken ?? (savedUse?.fingerprint != nil)
    let isHalted = deferred.isHalted && !isOfToken
    intent = nil
    unanswered = deferred.attempt ?? unanswered
    var count = deferral?.count ?? 0
    // One use that tries again fails once.
    if count == 0 || !deferred.isRepeated { count.increase() }
    deferral = Deferral(
      count: count, at: entry.at, wait: deferred.retryAfter?.microseconds,
      isDemanded: deferred.isDemanded,
      isHalted: isHalted || deferral?.isHalted == true)
  }

  /// A renewal failed for good; where a reason is given, the session is still used but not renewed.
  private mutating func endRenewal(_ failed: RefreshFailed, _ entry: LogEntry) {
    intent = nil
    guard let reason = failed.reason else { return }
    // What became of what was sent is known now.
    if state == .uncertain { enter(.active, entry) }
    renewalEnd = RenewalEnd(position: entry.position, reason: reason)
    isRenewable = false
    if deferral?.isHalted == false { deferral = nil }
    unanswered = failed.attempt ?? unanswered
    count(failed.fingerprint, failed.attempt, isHalted: failed.isHalted, entry)
  }

  /// The server's clock, or our own, is not what it was.
  private mutating func observe(_ observed: ClockObserved) {
    offset = observed.offset?.microseconds ?? offset
    if let jump = observed.jump, let jumped = renewed?.jumped {
      renewed?.jumped = jumped.addingReportingOverflow(jump.microseconds).partialValue
    }
  }

  private mutating func renew(_ succeeded: RefreshSucceeded, _ entry: LogEntry) {
    confirm(succeeded.life, generation: succeeded.generation, entry)
    // What repeats the beginning of a former life tells besides when the word came.
    heed(
      entry, boot: succeeded.isPartial ? succeeded.answerBoot : succeeded.life.boot,
      bootID: succeeded.isPartial ? succeeded.answerBootID : succeeded.life.bootID)
    if succeeded.isSaved { savedUse = nil }
  }

  /// The server confirmed the session and gave it new secrets.
  private mutating func confirm(_ life: Life, generation next: Int64?, _ entry: LogEntry) {
    enter(.active, entry)
    // After the greatest number there is no next renewal: such an event is foreign.
    generation = min(next ?? generation, .max - 1)
    begin(life, at: entry.at)
  }

  /// A session begins to live, or lives on: what failed before is over.
  ///
  /// - Parameters:
  ///   - life: What the server granted.
  ///   - now: When that was recorded.
  package mutating func begin(_ life: Life, at now: Timestamp) {
    offset = life.offset?.microseconds ?? 0
    let clock = LifeClock(
      wall: life.sent ?? now, boot: life.boot?.microseconds, bootID: life.bootID,
      offset: offset)
    renewed = clock
    expires = life.lifetime.map { clock.wall + $0 }
    isRenewable = life.isRenewable
    deferral = nil
    doubt = nil
    renewalEnd = nil
    unanswered = 0
  }

  /// The server gave its word for the session.
  private mutating func heed(_ entry: LogEntry, boot: Duration?, bootID: BootID?) {
    verified = entry.position
    verifiedAt = entry.at
    distrust = nil
    offline = offline.map {
      OfflineSpan(limit: $0.limit, at: entry.at, boot: boot?.microseconds, bootID: bootID)
    }
  }

  /// A running renewal continues if the session is only resumed or verified meanwhile: nothing is
  /// known of its answer then (rule 2).
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
}
