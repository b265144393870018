/// ``FindingRule/trustDecision``: what somebody decided to trust.
struct TrustDecisions: AuditRule {
  static let kinds: Set<EventKind> = [.trustDecided, .originAllowed]

  /// A decision that may be taken back.
  private struct Decision {
    let account: Int64
    let key: String?
    let title: Sentence
    let severity: Finding.Severity
    var incident: Incident
    var isRevoked = false
  }

  private var decisions: [Decision] = []

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    guard let data = Facts(decoding: event.data) else { return }
    guard event.kind == .trustDecided else {
      let allowed = OriginAllowed(data)
      let origin = "\(allowed.scheme.known ?? "https")://\(allowed.place)"
      return add(event, nil, .note, "The account's credentials may also be sent to \(origin).")
    }
    let decided = TrustDecided(data)
    switch decided.verdict {
    case "accepted": accept(event, decided)
    case "revoked": revoke(event, decided.key)
    // Those that are refused or pinned make nothing weaker.
    default: break
    }
  }

  mutating func finish(into findings: inout FindingList) {
    for decision in decisions {
      findings.add(
        .trustDecision, decision.isRevoked ? .note : decision.severity,
        decision.isRevoked ? decision.title + " It was revoked." : decision.title,
        decision.incident)
    }
  }

  private mutating func accept(_ event: ScannedEvent, _ decided: TrustDecided) {
    let who = decided.by == "policy" ? "A policy" : "The user"
    let title: Sentence =
      decided.defects?.contains("cleartext") == true
      ? "\(who) allowed passwords to be sent to \(decided.place) without TLS."
      : "\(who) accepted a key of \(decided.place) whose certificate is not valid."
    add(event, decided.key, .warning, title)
  }

  private mutating func revoke(_ event: ScannedEvent, _ key: String?) {
    for index in decisions.indices
    where decisions[index].account == event.account && (key == nil || decisions[index].key == key) {
      decisions[index].isRevoked = true
      decisions[index].incident.add(event.position, event.at)
    }
  }

  private mutating func add(
    _ event: ScannedEvent, _ key: String?, _ severity: Finding.Severity, _ title: Sentence
  ) {
    decisions.append(
      Decision(
        account: event.account, key: key, title: title, severity: severity,
        incident: Incident(event)))
  }
}
