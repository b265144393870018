internal import Gatebook

/// How far a zone is ahead of UTC in a time: what a script needs to show moments as a person's clock
/// showed them.
struct ZoneSpans {
  /// More days are looked at in longer steps.
  private static let mostSteps: Int64 = 40_000
  let zone: TimeZoneRule
  let start: Timestamp
  let end: Timestamp

  /// `[from which moment on, how far ahead]` in milliseconds, the first one from the beginning on.
  var json: JSON {
    var spans: [JSON] = []
    var offset: Int64?
    let (first, last) = (TimeText.seconds(of: start), TimeText.seconds(of: end) + 1)
    var from = first
    while from <= last {
      let next = zone.offset(from)
      if next != offset {
        let since = offset == nil ? from : change(from - step, from, next)
        spans.append(.list([.integer(since * 1_000), .integer(next * 1_000)]))
        offset = next
      }
      guard from < last else { break }
      from = min(from + step, last)
    }
    return .list(spans)
  }

  /// A day, in which no zone changes twice.
  private var step: Int64 {
    max(86_400, (TimeText.seconds(of: end) - TimeText.seconds(of: start)) / Self.mostSteps)
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
