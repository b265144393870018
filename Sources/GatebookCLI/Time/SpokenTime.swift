/// The words of a day and a time, told apart: `wed, 25 nov 2026 16:11:06 gmt`.
///
/// The order in which people and programs write them does not matter: no word can be two things.
struct SpokenTime {
  /// The words of the day; none for a time of day alone.
  private(set) var day: [String] = []
  /// The time of day; `nil` for the whole day.
  private(set) var time: TimeOfDay?
  /// Seconds east of UTC; `nil` for the reader's own zone.
  private(set) var offset: Int64?

  /// Reads words in lower case; `nil` for two times or two zones.
  init?(_ words: [String]) {
    for word in Self.parts(words) {
      if let time = TimeOfDay(word) {
        guard self.time == nil else { return nil }
        self.time = time
      } else if let zone = ZoneOffset.seconds(word[...]) {
        guard offset == nil else { return nil }
        offset = zone
      } else {
        day.append(word)
      }
    }
    // `yesterday at 14:00`.
    if time != nil, day.count > 1 { day.removeAll { $0 == "at" } }
  }

  /// One word for each thing: `2025-11-20T14:00` is a date and a time, `2 pm` is one time.
  private static func parts(_ words: [String]) -> [String] {
    words.joined(separator: " ")
      .replacing(#/ (am|pm)\b/#) { "\($0.1)" }
      // ISO 8601's basic form: `20251120T140005Z`.
      .replacing(/([0-9]{8}|[0-9-]{10})t([0-9]{2})([0-9]{2})([0-9]{2})?(?![0-9:])/) { match in
        "\(match.1) \(match.2):\(match.3)" + (match.4.map { ":\($0)" } ?? "")
      }
      .replacing(/([0-9]{8}|[0-9-]{10})t([0-9])/) { "\($0.1) \($0.2)" }
      // A web server's log: `20/nov/2025:14:00:05`.
      .replacing(/([0-9]{1,2})[-\/]([a-z]+)[-\/]([0-9]{4}):?/) { "\($0.1) \($0.2) \($0.3) " }
      // A zone after a time: `14:00:05.25z`, `14:00+01:00`.
      .replacing(/(:[0-9]{2}(?:[.,][0-9]{1,9})?)([z+-])/) { "\($0.1) \($0.2)" }
      .split(separator: " ").map(String.init)
  }
}

/// How far back people say something was: `2h`, `90min`, `1d2h`, `2 months`.
///
/// Days, weeks and months are those of a calendar, so they may be an hour longer or shorter; hours,
/// minutes and seconds always have the same length.
struct SpokenDistance {
  private(set) var months: Int64 = 0
  private(set) var days: Int64 = 0
  private(set) var seconds: Int64 = 0

  private static let units = [
    (names: ["s", "sec", "secs", "second", "seconds"], length: SpokenDistance(seconds: 1)),
    (names: ["m", "min", "mins", "minute", "minutes"], length: SpokenDistance(seconds: 60)),
    (names: ["h", "hr", "hrs", "hour", "hours"], length: SpokenDistance(seconds: 3_600)),
    (names: ["d", "day", "days"], length: SpokenDistance(days: 1)),
    (names: ["w", "week", "weeks"], length: SpokenDistance(days: 7)),
    (names: ["month", "months"], length: SpokenDistance(months: 1)),
    (names: ["y", "year", "years"], length: SpokenDistance(months: 12)),
  ]
}

extension SpokenDistance {
  /// Reads number and unit, as often as they follow each other; `nil` for anything else.
  ///
  /// - Parameter words: Lower case; `a` and `an` count as one.
  init?(_ words: some Sequence<String>) {
    let text = words.map { $0 == "a" || $0 == "an" ? "1" : $0 }.joined()
    guard text.wholeMatch(of: /(?:[0-9]{1,6}[a-z]+)+/) != nil else { return nil }
    self.init()
    for match in text.matches(of: /([0-9]+)([a-z]+)/) {
      guard let number = Int64(match.1),
        let unit = Self.units.first(where: { $0.names.contains(String(match.2)) })?.length
      else { return nil }
      months += number * unit.months
      days += number * unit.days
      seconds += number * unit.seconds
    }
  }
}
