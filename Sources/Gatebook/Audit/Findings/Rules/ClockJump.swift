/// ``FindingRule/clockJump``: a clock that cannot be relied on.
///
/// A clock that is wrong once is often wrong again: what one clock did is one finding.
struct ClockJump: AuditRule {
  static let kinds: Set<EventKind> = [.clockObserved]
  private static let limit = Duration.seconds(60)

  /// Whose clock it is.
  private enum Clock: Hashable {
    case machine
    /// The one of an account's server, by the number of its stream.
    case server(Int64)
  }

  /// What one clock did.
  private struct Deviation {
    var incident: Incident
    /// The largest distance, with its sign.
    var largest: Duration
  }

  private var deviations: [Clock: Deviation] = [:]
  /// The clocks in the order in which they were found.
  private var clocks: [Clock] = []

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    let data = FactScanner(event.data)
    if let jump = Self.distance(data.integer("jump")) { add(jump, event, .machine) }
    if let offset = Self.distance(data.integer("offset")) {
      add(offset, event, .server(event.account))
    }
  }

  mutating func finish(into findings: inout FindingList) {
    for clock in clocks {
      guard let deviation = deviations[clock] else { continue }
      let severity: Finding.Severity = clock == .machine ? .warning : .note
      findings.add(
        .clockJump, severity, Self.title(clock, deviation), deviation.incident)
    }
  }

  private mutating func add(_ distance: Duration, _ event: ScannedEvent, _ clock: Clock) {
    guard var known = deviations[clock] else {
      deviations[clock] = Deviation(incident: Incident(event), largest: distance)
      clocks.append(clock)
      return
    }
    known.incident.add(event)
    if Self.length(distance) > Self.length(known.largest) { known.largest = distance }
    deviations[clock] = known
  }

  private static func title(_ clock: Clock, _ deviation: Deviation) -> Sentence {
    let count = deviation.incident.count
    let largest = deviation.largest
    let length = Self.length(largest).words
    switch clock {
    case .machine:
      let way = largest < .zero ? "back" : "forward"
      return count == 1
        ? "This machine's clock jumped \(way) by \(length)."
        : "This machine's clock jumped \(count) times, at most \(way) by \(length)."
    case .server:
      let way = largest < .zero ? "behind" : "ahead of"
      return count == 1
        ? "The server's clock is \(length) \(way) this machine's."
        : "The server's clock differed from this machine's \(count) times, at most \(length) \(way) it."
    }
  }

  /// How far, where it is far enough.
  private static func distance(_ microseconds: Int64?) -> Duration? {
    guard let microseconds, length(.microseconds(microseconds)) >= limit else { return nil }
    return .microseconds(microseconds)
  }

  private static func length(_ duration: Duration) -> Duration {
    duration < .zero ? .zero - duration : duration
  }
}
