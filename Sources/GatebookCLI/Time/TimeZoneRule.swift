internal import GatebookSystem

/// Says how far local time is ahead of UTC at a moment, and so turns one into the other.
struct TimeZoneRule: Sendable {
  /// Seconds east of UTC at a moment given in seconds since 1970 UTC.
  let offset: @Sendable (_ utc: Int64) -> Int64

  /// UTC itself.
  static let utc = TimeZoneRule { _ in 0 }

  /// The zone of the environment (`TZ`, else `/etc/localtime`).
  static let local = TimeZoneRule { seconds in
    SystemTime.zoneOffset(at: seconds) ?? 0
  }

  /// The moment that a clock on the wall shows, in seconds since 1970 UTC.
  ///
  /// Of a time that a clock shows twice, the first; a time that a clock never shows counts from the
  /// offset before the jump, so it lies behind it.
  ///
  /// - Parameter wall: What the clock shows, as if it were UTC, in seconds since 1970.
  /// - Returns: Seconds since 1970 UTC.
  func moment(showing wall: Int64) -> Int64 {
    // One of the offsets a day before and a day after is right: no zone jumps twice in two days.
    let before = wall - offset(wall - 86_400)
    let after = wall - offset(wall + 86_400)
    if before + offset(before) == wall { return before }
    if after + offset(after) == wall { return after }
    return before
  }
}
