/// What one program sent through proxies.
///
/// It comes only from unencrypted facts: it needs no key and contains no personal data.
public struct ProgramActivity: Hashable, Sendable {
  /// The name of its process; `nil` for all whose names are not known, or not recorded.
  public let program: String?
  /// How many of its requests were sent to a server.
  public internal(set) var forwarded: Int64 = 0
  /// How many of its requests a proxy refused.
  public internal(set) var refused: Int64 = 0
  /// The begin of the first time in which it was counted.
  public internal(set) var first: Timestamp
  /// The end of the last time in which it was counted.
  public internal(set) var last: Timestamp
}

extension BookReader {
  /// Which programs sent requests through proxies, and how many: the busiest first.
  ///
  /// It reads the events `proxy.used` and `proxy.ended`. What a proxy has not recorded yet is not
  /// counted.
  ///
  /// - Parameters:
  ///   - account: Only this account; `nil` for all.
  ///   - days: Only what was recorded on these days; `nil` for all.
  /// - Returns: The programs.
  /// - Throws: Storage failures.
  public func programs(
    of account: AccountID? = nil, on days: ClosedRange<Day>? = nil
  ) throws(GatebookError) -> [ProgramActivity] {
    var found = ProgramActivities()
    try scan(ProgramActivities.kinds, of: account, since: days?.lowerBound.start) {
      (event) throws(GatebookError) in
      guard days?.contains(Day(of: event.at)) != false, let data = Facts(decoding: event.data)
      else { return }
      found.take(data, at: event.at)
    }
    return found.sorted
  }
}

/// Counts what programs sent through proxies.
package struct ProgramActivities {
  /// The kinds that tell of it.
  package static let kinds: Set<EventKind> = [.proxyUsed, .proxyEnded]

  private var found: [String?: ProgramActivity] = [:]

  /// Makes one that has counted nothing.
  package init() {}

  /// Takes the next event of these kinds.
  package mutating func take(_ data: Facts, at moment: Timestamp) {
    let use = ProxyUse(data)
    var (forwarded, refused) = (use.forwarded, use.refused)
    for (name, part) in use.programs {
      add(name, part.forwarded, part.refused, use.since ?? moment, moment)
      forwarded -= part.forwarded
      refused -= part.refused
    }
    if forwarded > 0 || refused > 0 { add(nil, forwarded, refused, use.since ?? moment, moment) }
  }

  private mutating func add(
    _ name: String?, _ sent: Int64, _ denied: Int64, _ since: Timestamp, _ moment: Timestamp
  ) {
    var activity = found[name] ?? ProgramActivity(program: name, first: since, last: moment)
    activity.forwarded += sent
    activity.refused += denied
    activity.first = min(activity.first, since)
    activity.last = max(activity.last, moment)
    found[name] = activity
  }

  /// The programs, the busiest first.
  package var sorted: [ProgramActivity] {
    found.values.sorted {
      ($1.forwarded, $0.program ?? "") < ($0.forwarded, $1.program ?? "")
    }
  }
}
