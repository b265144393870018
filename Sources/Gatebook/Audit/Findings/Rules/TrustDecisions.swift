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
      let origin = "\(data["scheme"]?.text ?? "https")://\(Self.place(data))"
      return add(event, nil, .note, "The account's credentials may also be sent to \(origin).")
    }
    switch data["verdict"]?.text {
    case "accepted": accept(event, data)
    case "revoked": revoke(event, data["key"]?.text)
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

  private mutating func accept(_ event: ScannedEvent, _ data: Facts) {
    let defects = data["defects"]?.list?.compactMap(\.text) ?? []
    let who = data["by"]?.text == "policy" ? "A policy" : "The user"
    let title: Sentence =
      defects.contains("cleartext")
      ? "\(who) allowed passwords to be sent to \(Self.place(data)) without TLS."
      : "\(who) accepted a key of \(Self.place(data)) whose certificate is not valid."
    add(event, data["key"]?.text, .warning, title)
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

  private static func place(_ data: Facts) -> String {
    let host = data["host"]?.text ?? "the server"
    return data["port"]?.integer.map { "\(host):\($0)" } ?? host
  }
}
