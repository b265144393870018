/// A time of day as people write it, with the zone where one is given.
struct TimeOfDay: Hashable, Sendable {
  /// Seconds since midnight.
  let second: Int64
  /// The part below a second.
  let microsecond: Int64
  /// Seconds east of UTC; `nil` for the reader's own zone.
  let offset: Int64?

  /// Reads `9:15`, `14:00:05`, `14:00:05.25Z`, `14:00+01:00`, `2pm`, `2:30pm`, all in lower case.
  init?(_ text: String) {
    var rest = Substring(text)
    guard let hour = Self.number(&rest, 1...2) else { return nil }
    var minute: Int64 = 0
    var second: Int64 = 0
    var microsecond: Int64 = 0
    let hasMinutes = rest.first == ":"
    if hasMinutes {
      rest.removeFirst()
      guard let minutes = Self.number(&rest, 2...2), minutes < 60 else { return nil }
      minute = minutes
      if rest.first == ":" {
        rest.removeFirst()
        guard let seconds = Self.number(&rest, 2...2), seconds < 60 else { return nil }
        second = seconds
        guard let fraction = Self.fraction(&rest) else { return nil }
        microsecond = fraction
      }
    }
    if let hours = Self.twelveHours(hour, &rest) {
      guard rest.isEmpty else { return nil }
      self.init(hours * 3_600 + minute * 60 + second, microsecond, nil)
      return
    }
    guard hasMinutes, hour < 24, let zone = Self.zone(rest) else { return nil }
    self.init(hour * 3_600 + minute * 60 + second, microsecond, zone.offset)
  }

  /// What stands behind the time.
  private struct Zone {
    let offset: Int64?
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

  /// `z`, `+01:00`, `-0530`, `+01`, or nothing; `nil` for anything else.
  private static func zone(_ text: Substring) -> Zone? {
    if text.isEmpty { return Zone(offset: nil) }
    if text == "z" { return Zone(offset: 0) }
    guard let sign = text.first, sign == "+" || sign == "-" else { return nil }
    var rest = text.dropFirst()
    guard let hours = number(&rest, 2...2), hours < 24 else { return nil }
    var minutes: Int64 = 0
    if !rest.isEmpty {
      if rest.first == ":" { rest.removeFirst() }
      guard let given = number(&rest, 2...2), given < 60, rest.isEmpty else { return nil }
      minutes = given
    }
    return Zone(offset: (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1))
  }

  /// Digits below a second, cut to microseconds; 0 when there are none, `nil` when they are wrong.
  private static func fraction(_ rest: inout Substring) -> Int64? {
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
