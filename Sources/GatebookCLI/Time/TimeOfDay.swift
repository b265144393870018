internal import Gatebook
internal import GatebookSystem

/// A time of day as people write it, with the zone where one is given.
struct TimeOfDay: Hashable, Sendable {
  /// Seconds since midnight; 86400 for the end of the day, `24:00`.
  let second: Int64
  /// The part below a second.
  let microsecond: Int64
  /// Seconds east of UTC; `nil` for the reader's own zone.
  let offset: Int64?

  /// Reads `9:15`, `14:00:05`, `14:00:05.25Z`, `14:00+01:00`, `24:00`, `2pm`, `2:30pm`, `noon`, all
  /// in lower case.
  init?(_ text: String) {
    switch text {
    case "noon": self.init(43_200, 0, nil)
    case "midnight": self.init(0, 0, nil)
    default: self.init(clock: text)
    }
  }

  private init?(clock text: String) {
    var rest = Substring(text)
    guard let hour = Self.number(&rest, 1...2) else { return nil }
    var minute: Int64 = 0
    var second: Int64 = 0
    var microsecond: Int64 = 0
    let hasMinutes = rest.first == ":"
    if hasMinutes {
      rest.removeFirst()
      guard let minutes = Self.number(&rest, 2...2) else { return nil }
      minute = minutes
      if rest.first == ":" {
        rest.removeFirst()
        guard let seconds = Self.number(&rest, 2...2), let fraction = Self.fraction(&rest) else {
          return nil
        }
        (second, microsecond) = (seconds, fraction)
      }
    }
    if let hours = Self.twelveHours(hour, &rest) {
      guard rest.isEmpty, minute < 60, second < 60 else { return nil }
      self.init(hours * 3_600 + minute * 60 + second, microsecond, nil)
      return
    }
    guard hasMinutes else { return nil }
    self.init(hour, minute, second, microsecond, zone: rest)
  }

  /// Reads `1400`, `140005`, `140005.25z`, `1400+0100`, in lower case: what follows the `T` of ISO
  /// 8601's basic form; alone it could be anything else.
  init?(basic text: Substring) {
    var rest = text
    guard let hour = Self.number(&rest, 2...2), let minute = Self.number(&rest, 2...2) else {
      return nil
    }
    let second = Self.number(&rest, 2...2)
    guard let fraction = second == nil ? 0 : Self.fraction(&rest) else { return nil }
    self.init(hour, minute, second ?? 0, fraction, zone: rest)
  }

  private init?(
    _ hour: Int64, _ minute: Int64, _ second: Int64, _ microsecond: Int64, zone: Substring
  ) {
    let sum = hour * 3_600 + minute * 60 + second
    guard minute < 60, second < 60, hour < 24 || (sum == 86_400 && microsecond == 0) else {
      return nil
    }
    guard !zone.isEmpty else {
      self.init(sum, microsecond, nil)
      return
    }
    guard let offset = ZoneOffset.seconds(zone) else { return nil }
    self.init(sum, microsecond, offset)
  }

  private init(_ second: Int64, _ microsecond: Int64, _ offset: Int64?) {
    self.second = second
    self.microsecond = microsecond
    self.offset = offset
  }

  private static func twelveHours(_ hour: Int64, _ rest: inout Substring) -> Int64? {
    guard rest.hasPrefix("am") || rest.hasPrefix("pm"), (1...12).contains(hour) else { return nil }
    let isAfternoon = rest.hasPrefix("pm")
    rest.removeFirst(2)
    return hour % 12 + (isAfternoon ? 12 : 0)
  }

  /// Digits below a second, cut to microseconds; 0 when there are none, `nil` when they are wrong.
  static func fraction(_ rest: inout Substring) -> Int64? {
    guard rest.first == "." || rest.first == "," else { return 0 }
    rest.removeFirst()
    let digits = rest.prefix { isDigit($0) }
    guard (1...9).contains(digits.count) else { return nil }
    rest.removeFirst(digits.count)
    return Int64(String(digits + "000000").prefix(6))
  }

  /// As many digits as there may be; `nil`, and nothing taken, when there are too few.
  static func number(_ rest: inout Substring, _ count: ClosedRange<Int>) -> Int64? {
    let digits = rest.prefix(count.upperBound).prefix { isDigit($0) }
    guard count.contains(digits.count) else { return nil }
    rest.removeFirst(digits.count)
    return Int64(digits)
  }

  private static func isDigit(_ character: Character) -> Bool {
    ("0"..."9").contains(character)
  }
}

extension CivilTime {
  /// Reads `2025-11-20`, `2025/11/20` and `20251120`: the year is first, so no other order is
  /// meant; `nil` for anything else or no such day.
  ///
  /// Source: ISO 8601-1 section 5.2.2 for the first and the last form.
  init?(isoDate text: String) {
    var rest = Substring(text)
    guard let year = TimeOfDay.number(&rest, 4...4) else { return nil }
    let separator = rest.first == "-" || rest.first == "/" ? rest.removeFirst() : nil
    guard let month = TimeOfDay.number(&rest, 2...2) else { return nil }
    if let separator, rest.popFirst() != separator { return nil }
    guard let day = TimeOfDay.number(&rest, 2...2), rest.isEmpty else { return nil }
    self.init(year: year, month: month, day: day)
  }
}

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
  /// offset before the jump, so it is after it.
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

/// How far a zone is ahead of UTC, as people write it after a time.
enum ZoneOffset {
  /// Reads `z`, `utc`, `gmt`, `+01:00`, `-0530`, `+01`, `gmt+0100`, in lower case.
  ///
  /// Of zones by letters only these are one zone for everybody.
  ///
  /// - Parameter text: The text after the time, or a word of its own.
  /// - Returns: Seconds east of UTC; `nil` for anything else.
  static func seconds(_ text: Substring) -> Int64? {
    if ["z", "utc", "gmt"].contains(text) { return 0 }
    var rest = text
    if rest.hasPrefix("utc") || rest.hasPrefix("gmt") { rest.removeFirst(3) }
    guard let sign = rest.popFirst(), sign == "+" || sign == "-",
      let hours = TimeOfDay.number(&rest, 2...2), hours < 24
    else { return nil }
    var minutes: Int64 = 0
    if !rest.isEmpty {
      if rest.first == ":" { rest.removeFirst() }
      guard let given = TimeOfDay.number(&rest, 2...2), given < 60, rest.isEmpty else { return nil }
      minutes = given
    }
    return (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
  }
}
