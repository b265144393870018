internal import Gatebook

/// The events that a listing without conditions ought to have had, and that the log does not have.
struct MissingEvents {
  /// Their positions, in order.
  let ranges: [ClosedRange<Int64>]

  /// Compares what was read with the places of the log.
  ///
  /// - Parameters:
  ///   - events: The positions of the events that a filter let through, in order.
  ///   - filter: The filter; where it has a condition nothing is known to be missing.
  ///   - size: The last position of the log, in the same state of the book.
  ///   - past: What the book does not have, and says so.
  init(among events: [Position], of filter: EventFilter, upTo size: Int64, _ past: Continuation?) {
    guard !filter.hasCondition else {
      ranges = []
      return
    }
    let isFull = filter.limit == events.count
    let (first, last) = (events.first?.rawValue, events.last?.rawValue ?? 0)
    let start = max(filter.after?.rawValue ?? 0, past?.archived.rawValue ?? 0) + 1
    // The last so many begin anywhere, and the first so many end there.
    let begin = filter.after == nil && isFull ? first ?? start : start
    let end = (filter.after != nil && isFull ? last : max(size, last)) + 1
    var missing = RangeSet(begin..<max(begin, end))
    for position in events.map(\.rawValue) { missing.remove(contentsOf: position..<position + 1) }
    for range in past?.lost ?? [] {
      missing.remove(contentsOf: range.lowerBound.rawValue..<range.upperBound.rawValue + 1)
    }
    ranges = missing.ranges.map { $0.lowerBound...$0.upperBound - 1 }
  }

  /// Says which they are; `nil` when none is missing.
  var sentence: String? {
    guard let first = ranges.first, let last = ranges.last else { return nil }
    let most = 10
    let names = ranges.prefix(most).map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound) to \(range.upperBound)"
    }
    let rest = ranges.count > most ? " and others, up to \(last.upperBound)," : ""
    let what =
      ranges.count == 1 && first.count == 1
      ? "The event at position \(names[0]) is missing"
      : "The events \(names.joined(separator: ", "))\(rest) are missing"
    return "\(what). The log was damaged or tampered with."
  }
}

extension EventFilter {
  /// Whether it may leave out an event between two that it lets through.
  fileprivate var hasCondition: Bool {
    account != nil || session != nil || kind != nil || failedOnly || since != nil || until != nil
  }
}
