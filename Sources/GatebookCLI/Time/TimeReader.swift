internal import Gatebook

/// Reads times as people write them: `2025-11-20`, `yesterday 14:00`, `2h ago`, `last monday`.
///
/// Pure: what time it is and in which zone are told at the start. A log holds the past: what could be
/// several moments is the latest one that has been.
struct TimeReader: Sendable {
  /// Which end of a time is meant.
  enum Edge: Sendable {
    /// The first moment: a day's midnight, and of a time of day the latest one that has been.
    case start
    /// The end, which does not belong to it: of a day the next midnight, of a time of day today's, also
    /// one that is still to come.
    case end
  }

  private let now: Timestamp
  private let zone: TimeZoneRule

  init(now: Timestamp, zone: TimeZoneRule) {
    self.now = now
    self.zone = zone
  }

  /// Reads a time or, as digits alone, a position.
  ///
  /// A time to the second is the end of that second: so are the times of events printed, and whoever
  /// copies one means what had happened by then.
  func timeOrPosition(_ text: String) throws(UsageError) -> TimeArgument {
    guard let number = Int64(text), number >= 0, text.utf8.allSatisfy({ $0 != 0x2B }) else {
      let moment = try moment(text)
      let isToTheSecond = text.contains(/\d:\d\d:\d\d(?![.,:\d])/)
      return .moment(isToTheSecond ? moment + .microseconds(999_999) : moment)
    }
    return .position(Position(rawValue: number))
  }

  /// Reads a time.
  ///
  /// - Parameters:
  ///   - text: ISO 8601, a day by its name or date with or without a time, a time of day, or a distance.
  ///   - edge: Which end is meant.
  /// - Returns: The moment.
  /// - Throws: `UsageError` with examples.
  func moment(_ text: String, edge: Edge = .start) throws(UsageError) -> Timestamp {
    let words = text.lowercased().split { $0.isWhitespace }.map(String.init)
    guard let moment = distance(words) ?? day(words, edge) ?? combined(words) else {
      throw UsageError(
        "This is not a time that Gatebook can read.",
        remedy:
          "Write `2h ago` or `30m`, `2 months ago`, `last week`, `14:00`, `noon`, `yesterday 14:00`, "
          + "`monday`, `last monday 9:15`, `20 nov`, `2025-11-20`, `2025-11-20 14:00`, "
          + "`2025-11-20T14:00:05Z` or `now`.")
    }
    return moment
  }

  /// Whether a time of day was taken for one that has been, though the next of its kind is still to come.
  ///
  /// - Parameter text: What ``moment(_:edge:)`` reads.
  /// - Returns: `false` for a day or a distance: these name one moment.
  /// - Throws: `UsageError` for what is no time.
  func isStillToCome(_ text: String) throws(UsageError) -> Bool {
    let words = text.lowercased().split { $0.isWhitespace }.map(String.init)
    guard SpokenDay(words) == nil else { return false }
    return try moment(text) != moment(text, edge: .end)
  }

  // MARK: Distances

  /// `now`, `2h ago`, `30m`, `1 day 2 hours ago`, `last month`.
  private func distance(_ words: [String]) -> Timestamp? {
    if words == ["now"] { return now }
    if words.count == 2, words[0] == "last", ["week", "month", "year"].contains(words[1]) {
      return SpokenDistance(unit: words[1]).flatMap(before)
    }
    return SpokenDistance(words.last == "ago" ? words.dropLast() : words[...]).flatMap(before)
  }

  /// The moment that lies so far back: first by the calendar, then by the clock.
  private func before(_ distance: SpokenDistance) -> Timestamp? {
    var moment = now
    if distance.months > 0 || distance.days > 0 {
      guard let day = CivilTime(today, monthsBack: distance.months) else { return nil }
      let wall = day.seconds - distance.days * 86_400 + local.second
      guard CivilTime(seconds: wall).year >= 1 else { return nil }
      moment =
        Self.timestamp(zone.moment(showing: wall)) + .microseconds(TimeText.microseconds(of: now))
    }
    return moment - .seconds(distance.seconds)
  }

  // MARK: Days and times

  /// `yesterday 14:00`, `14:00 yesterday`, `last monday`, `noon`, `20 nov 2025`, `2025-11-20 14:00`.
  private func day(_ words: [String], _ edge: Edge) -> Timestamp? {
    if let day = SpokenDay(words) {
      return day.midnight(today).map { whole($0, edge) }
    }
    let parts = words.count > 2 ? words.filter { $0 != "at" } : words
    guard let first = parts.first, let last = parts.last else { return nil }
    if let time = Self.time(last) {
      return parts.count == 1 ? latest(time, edge) : on(Array(parts.dropLast()), time, edge)
    }
    return Self.time(first).flatMap { on(Array(parts.dropFirst()), $0, edge) }
  }

  /// A time of a day: a day that is not told exactly is the latest one on which that time has been.
  private func on(_ words: [String], _ time: TimeOfDay, _ edge: Edge) -> Timestamp? {
    guard let day = SpokenDay(words), let near = day.midnight(today) else { return nil }
    let moment = moment(near, time)
    guard edge == .start, moment > now, let earlier = day.midnight(today, isPast: true) else {
      return moment
    }
    return self.moment(earlier, time)
  }

  /// A time of day alone.
  private func latest(_ time: TimeOfDay, _ edge: Edge) -> Timestamp? {
    let moment = moment(today, time)
    guard edge == .start, moment > now, let yesterday = SpokenDay.relative(-1).midnight(today)
    else {
      return moment
    }
    return self.moment(yesterday, time)
  }

  private static func time(_ word: String) -> TimeOfDay? {
    switch word {
    case "noon": TimeOfDay("12:00")
    case "midnight": TimeOfDay("0:00")
    default: TimeOfDay(word)
    }
  }

  /// `2025-11-20T14:00:05.5+01:00`.
  private func combined(_ words: [String]) -> Timestamp? {
    guard words.count == 1, let separator = words[0].firstIndex(of: "t"),
      let start = CivilTime(isoDate: String(words[0][..<separator])),
      let time = TimeOfDay(String(words[0][words[0].index(after: separator)...]))
    else { return nil }
    return moment(start, time)
  }

  // MARK: Moments

  /// What a clock on the wall shows now.
  private var local: CivilTime {
    let seconds = TimeText.seconds(of: now)
    return CivilTime(seconds: seconds + zone.offset(seconds))
  }

  /// The midnight that began today.
  private var today: CivilTime {
    var today = local
    today.second = 0
    return today
  }

  private func whole(_ day: CivilTime, _ edge: Edge) -> Timestamp {
    Self.timestamp(zone.moment(showing: day.seconds + (edge == .start ? 0 : 86_400)))
  }

  private func moment(_ day: CivilTime, _ time: TimeOfDay) -> Timestamp {
    let wall = day.seconds + time.second
    let seconds = time.offset.map { wall - $0 } ?? zone.moment(showing: wall)
    return Self.timestamp(seconds) + .microseconds(time.microsecond)
  }

  private static func timestamp(_ seconds: Int64) -> Timestamp {
    Timestamp(rawValue: seconds * 1_000_000)
  }
}
