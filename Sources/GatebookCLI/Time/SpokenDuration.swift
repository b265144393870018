/// Durations as people write them: `2h`, `90min`, `1d2h`, `3 weeks`.
enum SpokenDuration {
  private static let units: [String: Int64] = [
    "s": 1, "sec": 1, "secs": 1, "second": 1, "seconds": 1,
    "m": 60, "min": 60, "mins": 60, "minute": 60, "minutes": 60,
    "h": 3_600, "hr": 3_600, "hrs": 3_600, "hour": 3_600, "hours": 3_600,
    "d": 86_400, "day": 86_400, "days": 86_400,
    "w": 604_800, "week": 604_800, "weeks": 604_800,
  ]

  /// Reads number and unit, as often as they follow each other; `nil` for anything else.
  ///
  /// - Parameter text: Lower case, without blanks.
  /// - Returns: Their sum.
  static func read(_ text: String) -> Duration? {
    var rest = Substring(text)
    var total: Int64 = 0
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      guard let number = TimeOfDay.number(&rest, 1...9) else { return nil }
      let name = rest.prefix { $0.isLetter }
      guard let unit = units[String(name)] else { return nil }
      rest.removeFirst(name.count)
      total += number * unit
    }
    return .seconds(total)
  }
}
