/// ``FindingRule/tokenReuse``: a refresh token that was sent more than once.
struct TokenReuse: AuditRule {
  static let kinds: Set<EventKind> = [
    .refreshStarted, .refreshSucceeded, .credentialsLoaded, .sessionEnded, .sessionUncertain,
  ]
  // Who sends what was exchanged longer ago than that has an old copy of the book: the first use that
  // we know of tells it.
  private static let mostSpent = 16

  private struct Tokens {
    /// What was exchanged for another one, by its fingerprint.
    var spent: [String] = []
    /// What was sent last.
    var sent: String?
    /// That it was sent more than once; the end of the renewal belongs to it.
    var resent: Resent?
    /// Whether whoever sent it before was gone without a word.
    var isOrphan = false
  }

  /// One token that was sent again because no answer had come to it.
  private struct Resent {
    var incident: Incident
    var attempt: Int64
    let isOrphan: Bool
    var isRefused = false
  }

  private var accounts: [Int64: Tokens] = [:]

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    let data = FactScanner(event.data)
    var tokens = accounts[event.account] ?? Tokens()
    switch event.kind {
    case .refreshSucceeded:
      if let new = data.text("fingerprint"), let sent = tokens.sent, new != sent {
        tokens.spent = (tokens.spent + [sent]).suffix(Self.mostSpent)
      }
      tokens.sent = nil
      tokens.isOrphan = false
      Self.end(&tokens, into: &findings)
    case .sessionEnded:
      if data.text("reason") == EndReason.refusedAfterUnknownOutcome.rawValue {
        tokens.resent?.incident.add(event.position, event.at)
        tokens.resent?.isRefused = true
      }
      Self.end(&tokens, into: &findings)
    case .sessionUncertain: tokens.isOrphan = data.text("code") == nil
    default:
      guard let sent = data.text("fingerprint") else { break }
      Self.send(sent, data, event, &tokens, into: &findings)
    }
    accounts[event.account] = tokens
  }

  mutating func finish(into findings: inout FindingList) {
    for account in Array(accounts.keys) {
      guard var tokens = accounts[account] else { continue }
      Self.end(&tokens, into: &findings)
    }
  }

  private static func send(
    _ sent: String, _ data: FactScanner, _ event: ScannedEvent, _ tokens: inout Tokens,
    into findings: inout FindingList
  ) {
    if tokens.spent.contains(sent) {
      findings.add(
        .tokenReuse, .alarm,
        "A refresh token was sent again that had been exchanged for another one before.",
        Incident(event))
    } else if let attempt = data.integer("attempt"), attempt > 1 {
      if let known = tokens.resent, known.attempt < attempt, tokens.sent == sent {
        tokens.resent?.attempt = attempt
        tokens.resent?.incident.add(event.position, event.at)
      } else {
        end(&tokens, into: &findings)
        tokens.resent = Resent(
          incident: Incident(event), attempt: attempt, isOrphan: tokens.isOrphan)
      }
    }
    tokens.sent = sent
  }

  private static func end(_ tokens: inout Tokens, into findings: inout FindingList) {
    guard let resent = tokens.resent else { return }
    tokens.resent = nil
    let cause =
      resent.isOrphan
      ? "whoever had sent it before was gone without recording an answer"
      : "no answer had come to it before"
    let consequence: Sentence = resent.isRefused ? " The server then refused it." : ""
    findings.add(
      .tokenReuse, .warning,
      "A refresh token was sent for the \(resent.attempt.ordinal) time, for \(cause)."
        + consequence,
      resent.incident)
  }
}
