/// ``FindingRule/proxyMisuse``: programs that tried what a proxy does not let them do.
struct ProxyMisuse: AuditRule {
  static let kinds: Set<EventKind> = [.proxyRefused]
  /// The most programs that a finding names.
  private static let mostNames = 5

  /// What was tried.
  private enum Attempt: Hashable {
    /// To use the session without the right to.
    case intrusion
    /// More than the proxy was started for.
    case excess

    init?(_ reason: String) {
      switch reason {
      case "capability", "peer": self = .intrusion
      case "host", "path", "readOnly", "target": self = .excess
      // A program that speaks bad HTTP, or is slow, tries nothing.
      default: return nil
      }
    }
  }

  private struct Target: Hashable {
    let account: Int64
    let attempt: Attempt
  }

  private struct Series {
    var incident: Incident
    var names: Set<String> = []
    var hasForeign = false
  }

  private var found: [Target: Series] = [:]

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    guard let data = Facts(decoding: event.data) else { return }
    let refused = ProxyRefused(data)
    guard let attempt = Attempt(refused.reason) else { return }
    let target = Target(account: event.account, attempt: attempt)
    var series: Series
    if let known = found[target] {
      series = known
      series.incident.add(event.position, event.at)
    } else {
      series = Series(incident: Incident(event))
    }
    if let name = refused.program, series.names.count < Self.mostNames { series.names.insert(name) }
    if refused.isForeign { series.hasForeign = true }
    found[target] = series
  }

  mutating func finish(into findings: inout FindingList) {
    for (target, series) in found {
      let names = series.names.isEmpty ? "" : ": \(series.names.sorted().joined(separator: ", "))"
      switch target.attempt {
      case .intrusion:
        let who = series.hasForeign ? "Another user's program" : "A program without the capability"
        findings.add(
          .proxyMisuse, .warning, "\(who) tried to send requests through a proxy\(names).",
          series.incident)
      case .excess:
        findings.add(
          .proxyMisuse, .note, "A program tried what a proxy was not started for\(names).",
          remedy: "Check that the program is meant to do no more than the proxy allows.",
          series.incident)
      }
    }
  }
}
