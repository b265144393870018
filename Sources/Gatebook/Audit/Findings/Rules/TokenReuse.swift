/// ``FindingRule/tokenReuse``: a refresh token that was sent more than once.
struct TokenReuse: AuditRule {
  static let kinds: Set<EventKind> = [
    .refreshStarted, .refreshSucceeded, .credentialsLoaded, .sessionEnded, .sessionUncertain,
  ]

  private var accounts: [Int64: Tokens] = [:]

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    accounts[event.account, default: Tokens()].take(event, into: &findings)
  }

  mutating func finish(into findings: inout FindingList) {
    for account in accounts.keys { accounts[account]?.end(into: &findings) }
  }
}

/// The refresh tokens of one account.
private struct Tokens {
  // Who sends what was exchanged longer ago than that has an old copy of the book: the first use that
  // we know of tells it.
  private static let mostSpent = 16

  /// What was exchanged for another one, by its fingerprint.
  private var spent: [String] = []
  /// What was sent last.
  private var sent: String?
  /// That it was sent more than once; the end of the renewal belongs to it.
  private var resent: Resent?
  /// Whether whoever sent it before was gone without a word.
  private var isOrphan = false

  /// One token that was sent again because no answer had come to it.
  private struct Resent {
    var incident: Incident
    var attempt: Int64
    let isOrphan: Bool
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
      sent = nil
      isOrphan = false
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
    case .sessionUncertain: isOrphan = data.text("code") == nil
    default:
      if let sent = data.text("fingerprint") { send(sent, data, event, into: &findings) }
    }
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
        "A refresh token was sent again that had been exchanged for another one before.",
        Incident(event))
    } else if let attempt = data.integer("attempt"), attempt > 1 {
      if let known = resent, known.attempt < attempt, sent == token {
        resent?.attempt = attempt
        resent?.incident.add(event.position, event.at)
      } else {
        end(into: &findings)
        resent = Resent(incident: Incident(event), attempt: attempt, isOrphan: isOrphan)
      }
    }
    sent = token
  }

  /// Tells of what was sent more than once; the renewal is over.
  mutating func end(into findings: inout FindingList) {
    guard let resent else { return }
    self.resent = nil
    let cause =
      resent.isOrphan
      ? "whoever was to send it before was gone without recording an answer"
      : "no answer had come to it before"
    // What nobody has heard of may never have left.
    let isCertain = resent.isAnswered && !resent.isOrphan
    let consequence: Sentence = resent.isRefused ? " The server then refused it." : ""
    findings.add(
      .tokenReuse, .warning,
      "A refresh token \(isCertain ? "was" : "may have been") sent for the "
        + "\(resent.attempt.ordinal) time, for \(cause)." + consequence,
      resent.incident)
  }
}
