/// ``FindingRule/tokenReuse``: a refresh token that was sent more than once.
struct TokenReuse: AuditRule {
  static let kinds: Set<EventKind> = [
    .refreshStarted, .refreshSucceeded, .refreshFailed, .credentialsLoaded, .loginSucceeded,
    .loginFailed, .sessionEnded, .sessionUncertain, .refreshDeferred,
  ]

  private var accounts: [Int64: Tokens] = [:]

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    accounts[event.account, default: Tokens()].take(event, into: &findings)
  }

  mutating func finish(into findings: inout FindingList) {
    for account in accounts.keys {
      accounts[account]?.end(into: &findings)
      accounts[account]?.tellRevocation(isReplaced: false, into: &findings)
    }
  }
}

/// The refresh tokens of one account.
private struct Tokens {
  // Who sends what was exchanged longer ago than that has an old copy of the book: the first use
  // that we know of tells it.
  private static let mostSpent = 16

  /// What was exchanged for another one, by its fingerprint.
  private var spent: [String] = []
  /// What was sent last.
  private var sent: String?
  /// Whether what was sent last went because the server had refused the access token.
  private var isAfterRefusal = false
  /// Whether what was sent last had come by a renewal, and was sent for the first time.
  private var isFirstUse = false
  /// What the last renewal brought.
  private var granted: String?
  /// Whether a login has brought a token that was never sent.
  private var isFresh = false
  /// That it was sent more than once; the end of the renewal belongs to it.
  private var resent: Resent?
  /// Whether the process that sent it before ended without recording an answer.
  private var isOrphan = false
  /// Whether the answer to its last use could not be read.
  private var isUnreadable = false
  /// That the server refused all tokens of the login at once, while no login has replaced them.
  private var revocation: Incident?

  /// One token that was sent again because no answer to it was recorded, or none that could be
  /// read.
  private struct Resent {
    var incident: Incident
    var attempt: Int64
    let isOrphan: Bool
    let isUnreadable: Bool
    /// Whether an answer to the last one shows that it was sent.
    var isAnswered = false
    var isRefused = false
  }

  init() {}

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    let data = FactScanner(event.data)
    switch event.kind {
    case .refreshSucceeded:
      if let new = data.text("fingerprint"), let sent, new != sent { spend(sent) }
      granted = data.text("fingerprint")
      sent = nil
      (isOrphan, isUnreadable) = (false, false)
      resent?.isAnswered = true
      end(into: &findings)
    case .sessionEnded:
      if data.text("reason") == EndReason.refusedAfterUnknownOutcome.rawValue {
        resent?.incident.add(event.position, event.at)
        // Without a code no server has said anything.
        resent?.isAnswered = data.text("code") != nil
        resent?.isRefused = data.text("code") != nil
      }
      end(into: &findings)
    case .loginSucceeded:
      (granted, isFresh) = (nil, true)
      tellRevocation(isReplaced: true, into: &findings)
    case .refreshFailed, .loginFailed: refuse(event, data, into: &findings)
    case .refreshDeferred: tellReuse(event, data, into: &findings)
    case .sessionUncertain:
      isOrphan = data.text("code") == nil
      isUnreadable = data.integer("status") != nil
      if isUnreadable { resent?.isAnswered = true }
    default:
      if let sent = data.text("fingerprint") { send(sent, data, event, into: &findings) }
    }
  }

  /// What the server calls the reuse of a refresh token (RFC 9700 section 4.14.2 asks it to
  /// notice).
  private static let reuseErrors: Set<String> = [
    "refresh_token_reused", "refresh_token_already_used", "token_reused", "token_reuse_detected",
    "reuse_detected",
  ]

  /// Tells a reuse that the server names.
  ///
  /// - Returns: Whether it names one.
  @discardableResult
  private func tellReuse(
    _ event: ScannedEvent, _ data: FactScanner, into findings: inout FindingList
  ) -> Bool {
    guard let error = data.text("error"), Self.reuseErrors.contains(error) else { return false }
    findings.add(
      .tokenReuse, .alarm,
      "The server says that a refresh token was used more than once (\(error)). It may have been stolen.",
      Incident(event))
    return true
  }

  /// Takes the refusal of what was sent.
  private mutating func refuse(
    _ event: ScannedEvent, _ data: FactScanner, into findings: inout FindingList
  ) {
    if !tellReuse(event, data, into: &findings), event.kind == .refreshFailed,
      data.text("code") == FailureCode.tokenRefused.rawValue,
      isFirstUse, isAfterRefusal
    {
      tellRevocation(isReplaced: false, into: &findings)
      revocation = Incident(event)
    }
    (isFirstUse, isAfterRefusal) = (false, false)
  }

  /// Tells that the server refused all tokens of a login at once, and whether a login has brought
  /// new ones since.
  mutating func tellRevocation(isReplaced: Bool, into findings: inout FindingList) {
    guard let incident = revocation else { return }
    revocation = nil
    findings.add(
      .tokenReuse, isReplaced ? .warning : .alarm,
      "The server rejected the access token, and then a refresh token that this book had not sent "
        + "before. Somebody revoked the login at the server, or the server did, for example because a "
        + "stolen token was used." + (isReplaced ? " The account has logged in again since." : ""),
      remedy:
        "Ask the server's administrator whether the login was revoked on purpose. If it was not, find "
        + "out whether a copy of the book is in use elsewhere."
        + (isReplaced ? "" : " Then log in again."),
      incident)
  }

  private mutating func spend(_ token: String) {
    if spent.count == Self.mostSpent { spent.removeFirst() }
    spent.append(token)
  }

  private mutating func send(
    _ token: String, _ data: FactScanner, _ event: ScannedEvent, into findings: inout FindingList
  ) {
    if spent.contains(token) {
      findings.add(
        .tokenReuse, .alarm,
        "A refresh token was sent again after it had been exchanged for a new one.",
        Incident(event))
    } else if let attempt = data.integer("attempt"), attempt > 1 {
      if let known = resent, known.attempt < attempt, sent == token {
        resent?.attempt = attempt
        resent?.incident.add(event.position, event.at)
      } else {
        end(into: &findings)
        resent = Resent(
          incident: Incident(event), attempt: attempt, isOrphan: isOrphan,
          isUnreadable: isUnreadable)
      }
    }
    isFirstUse = (granted == token || isFresh) && data.integer("attempt") ?? 1 <= 1
    // It is no longer the first time.
    (granted, isFresh) = (nil, false)
    isAfterRefusal = data.text("trigger") == RenewalTrigger.refused.rawValue
    sent = token
  }

  /// Tells of what was sent more than once; the renewal is over.
  mutating func end(into findings: inout FindingList) {
    guard let resent else { return }
    self.resent = nil
    let cause =
      resent.isOrphan
      ? "an earlier process was about to send it and ended without recording an answer"
      : resent.isUnreadable
        ? "the answer to an earlier use could not be read"
        : "no answer to an earlier use was recorded"
    // A use without an answer may never have reached the server.
    let isCertain = resent.isAnswered && !resent.isOrphan
    let consequence: Sentence = resent.isRefused ? " The server then rejected it." : ""
    findings.add(
      .tokenReuse, .warning,
      "A refresh token \(isCertain ? "was" : "may have been") sent for the "
        + "\(resent.attempt.ordinal) time, because \(cause)." + consequence,
      // The book itself knows why: nobody else need have had the token.
      remedy:
        "Nothing while the session continues: this book sent the token each time. If the session "
        + "ended, log in again. If it happens often, check the network.",
      resent.incident)
  }
}
