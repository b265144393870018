/// How long a session has been unconfirmed, if its login set an offline limit.
///
/// Counted from event to event (rule 11): within one start of the machine by the boot clock, which
/// nobody sets, and from one to the next by the clock that says the most. What was counted stays
/// counted.
package struct OfflineSpan: Hashable, Sendable {
  /// How long it may be, in microseconds.
  package private(set) var limit: Int64
  /// How long it was at the last event that counted, in microseconds.
  package private(set) var counted: Int64 = 0
  /// When that was.
  package private(set) var at: Timestamp
  /// The boot-time clock then, in microseconds; `nil` where the event does not say.
  package private(set) var boot: Int64?
  /// Which start of the machine that counts from; `nil` where the event does not say.
  package private(set) var bootID: BootID?

  /// A session that the server has just confirmed.
  init(limit: Int64, at: Timestamp, boot: Int64?, bootID: BootID? = nil) {
    self.limit = limit
    self.at = at
    self.boot = boot
    self.bootID = bootID
  }

  /// How long it is.
  ///
  /// A wall clock that jumps while the machine runs makes it neither longer nor shorter.
  ///
  /// - Parameters:
  ///   - wall: Now.
  ///   - boot: The boot-time clock, in microseconds.
  ///   - bootID: Which start of the machine it counts from.
  /// - Returns: At least what was counted.
  package func length(at wall: Timestamp, boot: Int64?, bootID: BootID? = nil) -> Duration {
    let elapsed = sinceBoot(boot, bootID)
    if let bootID, bootID == self.bootID, let elapsed { return .microseconds(counted) + elapsed }
    return .microseconds(counted) + max(.zero, wall - at, elapsed ?? .zero)
  }

  /// Whether it is longer than it may be.
  package func isOver(at now: Moment) -> Bool {
    length(at: now.wall, boot: now.boot.microseconds, bootID: now.bootID) > .microseconds(limit)
  }

  /// What the clock that nobody sets has seen since; `nil` where one of its times is not known.
  ///
  /// If it restarted, the machine was booted after the last event: all of it came later.
  private func sinceBoot(_ boot: Int64?, _ bootID: BootID?) -> Duration? {
    guard let boot, let last = self.boot else { return nil }
    let isAnother = bootID != nil && self.bootID != nil && bootID != self.bootID
    return .microseconds(boot) - (isAnother || boot < last ? .zero : .microseconds(last))
  }

  /// The span of the same session after a new confirmation.
  package func confirmed(at now: Moment) -> OfflineSpan {
    OfflineSpan(limit: limit, at: now.wall, boot: now.boot.microseconds, bootID: now.bootID)
  }

  /// Counts up to an event.
  mutating func count(to wall: Timestamp, boot: Int64?, bootID: BootID? = nil) {
    counted = length(at: wall, boot: boot, bootID: bootID).microseconds
    at = wall
    self.boot = boot
    self.bootID = bootID
  }
}

extension OfflineSpan: FactsRecord {
  package static let blank = OfflineSpan(limit: 0, at: .epoch, boot: nil)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("at", &at)
    row.code("boot", &boot)
    row.code("bootID", &bootID)
    row.code("counted", &counted)
    row.code("limit", &limit)
  }
}
