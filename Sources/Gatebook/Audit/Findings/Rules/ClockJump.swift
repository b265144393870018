/// ``FindingRule/clockJump``: a clock that cannot be relied on.
struct ClockJump: AuditRule {
  static let kinds: Set<EventKind> = [.clockObserved]
  private static let limit = Duration.seconds(60)

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    let data = FactScanner(event.data)
    if let jump = Self.distance(data.integer("jump")) {
      let way = jump < .zero ? "back" : "forward"
      findings.add(
        .clockJump, .warning,
        "The clock of this machine jumped \(way) by \(Self.length(jump).words).", Incident(event))
    }
    if let offset = Self.distance(data.integer("offset")) {
      let way = offset < .zero ? "behind" : "ahead of"
      findings.add(
        .clockJump, .note,
        "The server's clock is \(Self.length(offset).words) \(way) the one of this machine.",
        Incident(event))
    }
  }

  mutating func finish(into findings: inout FindingList) {}

  /// How far, where it is far enough.
  private static func distance(_ microseconds: Int64?) -> Duration? {
    guard let microseconds, length(.microseconds(microseconds)) >= limit else { return nil }
    return .microseconds(microseconds)
  }

  private static func length(_ duration: Duration) -> Duration {
    duration < .zero ? .zero - duration : duration
  }
}
