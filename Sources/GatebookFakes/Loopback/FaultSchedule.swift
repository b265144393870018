/// Which faults are still to come, and where.
///
/// A request meets the first one that fits its path and has not run out.
struct FaultSchedule: Sendable {
  private struct Entry: Sendable {
    var path: String?
    var fault: LoopbackFault
    var remaining: Int?
  }

  private var entries: [Entry] = []

  /// Adds a fault after the others; without a path it fits all, without a count it never runs out.
  ///
  /// A path that ends in `/*` fits everything below it.
  mutating func append(_ fault: LoopbackFault, on path: String?, times: Int?) {
    entries.append(Entry(path: path, fault: fault, remaining: times))
  }

  /// Takes the fault for a request; `nil` when all is well.
  mutating func take(for path: String) -> LoopbackFault? {
    let fitting = entries.firstIndex { $0.remaining != 0 && Self.fits($0.path, path) }
    guard let fitting else { return nil }
    if let remaining = entries[fitting].remaining { entries[fitting].remaining = remaining - 1 }
    return entries[fitting].fault
  }

  /// Whether a pattern stands for a path; no pattern stands for all.
  static func fits(_ pattern: String?, _ path: String) -> Bool {
    guard let pattern else { return true }
    return pattern.hasSuffix("/*") ? path.hasPrefix(pattern.dropLast()) : path == pattern
  }
}
