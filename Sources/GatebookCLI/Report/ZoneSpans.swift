internal import Gatebook

/// How far a zone is ahead of UTC in a time: what a script needs to show moments as a person's
/// clock showed them.
struct ZoneSpans {
  /// More days are looked at in longer steps.
  private static let mostSteps: Int64 = 40_000
  let zone: TimeZoneRule
  let start: Timestamp
  let end: Timestamp

  /// The zone as people name one whose place is not told: `UTC+01:00, at other times UTC+02:00`.
  ///
  /// - Parameter moment: When what is named first holds.
  /// - Returns: Each distance once.
  func words(at moment: Timestamp) -> String {
    let now = zone.offset(moment.seconds)
    let others = Set(spans.map(\.offset)).subtracting([now]).sorted().map(Self.name)
    guard !others.isEmpty else { return Self.name(now) }
    return "\(Self.name(now)), at other times \(others.joined(separator: " or "))"
  }

  private static func name(_ offset: Int64) -> String {
    offset == 0 ? "UTC" : "UTC\(TimeText.offsetText(offset))"
  }

  /// `[from which moment on, how far ahead]` in milliseconds, the first one from the beginning on.
  var json: JSON {
    .list(
      spans.map { .list([.integer($0.since * 1_000), .integer($0.offset * 1_000)]) })
  }

  /// From which second on, and how many seconds ahead.
  private var spans: [(since: Int64, offset: Int64)] {
    var spans: [(since: Int64, offset: Int64)] = []
    var offset: Int64?
    let (first, last) = (start.seconds, end.seconds + 1)
    var from = first
    while from <= last {
      let next = zone.offset(from)
      if next != offset {
        let since = offset == nil ? from : change(from - step, from, next)
        spans.append((since: since, offset: next))
        offset = next
      }
      guard from < last else { break }
      from = min(from + step, last)
    }
    return spans
  }

  /// A day, in which no zone changes twice.
  private var step: Int64 {
    max(86_400, (end.seconds - start.seconds) / Self.mostSteps)
  }

  /// The first second at which the zone is so far ahead, between two moments.
  private func change(_ before: Int64, _ after: Int64, _ offset: Int64) -> Int64 {
    var (low, high) = (before, after)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if zone.offset(middle) == offset { high = middle } else { low = middle }
    }
    return high
  }
}
