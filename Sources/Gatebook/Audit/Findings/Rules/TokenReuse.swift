/// ``FindingRule/tokenReuse``: a refresh token that was sent more than once.
struct TokenReuse: AuditRule {
  static let kinds: Set<EventKind> = [
    .refreshStarted, .refreshSucceeded, .credentialsLoaded, .sessionEnded,
  ]
  // Who sends what was exchanged longer ago than that has an old copy of the book: the first use that
  // we know of tells it.
  private static let mostSpent = 16

  private struct Tokens {
    /// What was exchanged for another one, by its fingerprint.
    var spent: [String] = []
    /// What was sent last.
    var sent: String?
    /// That it was sent twice; the end of the renewal belongs to it.
    var incident: Incident?
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
      Self.end(&tokens, into: &findings)
    case .sessionEnded:
      if data.text("reason") == EndReason.refusedAfterUnknownOutcome.rawValue {
        tokens.incident?.add(event.position, event.at)
      }
      Self.end(&tokens, into: &findings)
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
    } else if (data.integer("attempt") ?? 1) > 1 {
      end(&tokens, into: &findings)
      tokens.incident = Incident(event)
    }
    tokens.sent = sent
  }

  private static func end(_ tokens: inout Tokens, into findings: inout FindingList) {
    guard let incident = tokens.incident else { return }
    tokens.incident = nil
    let consequence: Sentence = incident.count > 1 ? " The server then refused it." : ""
    findings.add(
      .tokenReuse, .warning,
      "A refresh token was sent for the second time, for the answer to the first time was lost."
        + consequence, incident)
  }
}
