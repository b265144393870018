/// ``FindingRule/refreshStorm``: renewals that follow each other too fast.
///
/// Only those that the server granted count: how often somebody tries while it cannot be reached
/// says nothing of a program.
struct RefreshStorm: AuditRule {
  static let kinds: Set<EventKind> = [.refreshSucceeded]
  private static let limit = Burst.Limit(count: 10, window: .seconds(60))

  private var bursts: [Int64: Burst] = [:]

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    if let over = bursts[event.account, default: Burst(Self.limit)].take(event) {
      Self.add(over, to: &findings)
    }
  }

  mutating func finish(into findings: inout FindingList) {
    for account in bursts.keys {
      if let incident = bursts[account]?.end() { Self.add(incident, to: &findings) }
    }
  }

  private static func add(_ incident: Incident, to findings: inout FindingList) {
    findings.add(
      .refreshStorm, .warning,
      "The session was renewed \(incident.count) times in quick succession.",
      incident)
  }
}
