/// How long a session has gone without the server's word, where its login set a limit to that.
///
/// Counted from event to event by the clock that says the most (rule 11): a wall clock that is set back
/// makes it no shorter, and what was counted stays counted.
package struct OfflineSpan: Hashable, Sendable {
  /// How long it may be, in microseconds.
  package let limit: Int64
  /// How long it was at the last event that counted, in microseconds.
  package private(set) var counted: Int64 = 0
  /// When that was.
  package private(set) var at: Timestamp
  /// The boot-time clock then, in microseconds; `nil` where the event does not say.
  package private(set) var boot: Int64?

  /// A session that the server has just confirmed.
  init(limit: Int64, at: Timestamp, boot: Int64?) {
    self.limit = limit
    self.at = at
    self.boot = boot
  }

  /// How long it is.
  ///
  /// - Parameters:
  ///   - wall: Now.
  ///   - boot: The boot-time clock, in microseconds.
  /// - Returns: At least what was counted.
  package func length(at wall: Timestamp, boot: Int64?) -> Duration {
    .microseconds(counted) + max(.zero, wall - at, sinceBoot(boot))
  }

  /// What the clock that nobody sets has seen since.
  ///
  /// Did it begin anew, the machine was started again after the last event: all of it came later.
  private func sinceBoot(_ boot: Int64?) -> Duration {
    guard let boot, let last = self.boot else { return .zero }
    return .microseconds(boot) - (boot < last ? .zero : .microseconds(last))
  }

  /// Counts up to an event.
  mutating func count(to wall: Timestamp, boot: Int64?) {
    counted = length(at: wall, boot: boot).microseconds
    at = wall
    self.boot = boot
  }
}

extension OfflineSpan {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record facts: Facts) {
    guard let limit = facts["limit"]?.integer, let counted = facts["counted"]?.integer,
      let at = facts.timestamp("at")
    else { return nil }
    self.init(limit: limit, at: at, boot: facts["boot"]?.integer)
    self.counted = counted
  }

  /// The span as canonical facts.
  var record: Facts {
    [
      "at": .integer(at.rawValue), "boot": .optional(boot), "counted": .integer(counted),
      "limit": .integer(limit),
    ]
  }
}
