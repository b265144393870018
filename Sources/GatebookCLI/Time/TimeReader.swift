internal import Gatebook

/// Reads times as people write them: `2025-11-20`, `yesterday 14:00`, `2h ago`.
///
/// Pure: what time it is and in which zone are told at the start.
struct TimeReader: Sendable {
  /// Which end of a day is meant by a day alone.
  enum Edge: Sendable {
    /// Its midnight.
    case start
    /// The next midnight, which does not belong to it.
    case end
  }

  private let now: Timestamp
  private let zone: TimeZoneRule

  init(now: Timestamp, zone: TimeZoneRule) {
    self.now = now
    self.zone = zone
  }

  /// Reads a time or, as digits alone, a position.
  func timeOrPosition(_ text: String) throws(UsageError) -> TimeArgument {
    guard let number = Int64(text), number >= 0, text.utf8.allSatisfy({ $0 != 0x2B }) else {
      return .moment(try moment(text))
    }
    return .position(Position(rawValue: number))
  }

  /// Reads a time.
  ///
  /// - Parameters:
  ///   - text: ISO 8601, a day by name with or without a time, a time of today, or `… ago`.
  ///   - edge: Which end of a day is meant by a day alone.
  /// - Returns: The moment.
  /// - Throws: `UsageError` with the forms there are.
  func moment(_ text: String, edge: Edge = .start) throws(UsageError) -> Timestamp {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
    guard let moment = ago(words) ?? day(words, edge) ?? combined(words, edge) else {
      throw UsageError(
        "This is not a time that Gatebook can read.",
        remedy:
          "Write `2025-11-20`, `2025-11-20T14:00`, `2025-11-20T14:00:05Z`, `yesterday 14:00`, "
          + "`today 9:15`, `14:00`, `2h ago` or `now`.")
    }
    return moment
  }

  // MARK: Forms

  /// `now`, `2h ago`, `1 day 2 hours ago`.
  private func ago(_ words: [String]) -> Timestamp? {
    if words == ["now"] { return now }
    guard words.count > 1, words.last == "ago" else { return nil }
    return SpokenDuration.read(words.dropLast().joined()).map { now - $0 }
  }

  /// `yesterday 14:00`, `today`, `9:15`, `2025-11-20 14:00`.
  private func day(_ words: [String], _ edge: Edge) -> Timestamp? {
    guard (1...2).contains(words.count) else { return nil }
    if let start = namedDay(words[0]) ?? CivilTime(isoDate: words[0]) {
      guard words.count == 2 else { return whole(start, edge) }
      return TimeOfDay(words[1]).flatMap { moment(start, $0) }
    }
    guard words.count == 1, let time = TimeOfDay(words[0]), let today = namedDay("today") else {
      return nil
    }
    return moment(today, time)
  }

  /// `2025-11-20T14:00:05.5+01:00`.
  private func combined(_ words: [String], _ edge: Edge) -> Timestamp? {
    guard words.count == 1, let separator = words[0].firstIndex(of: "t"),
      let start = CivilTime(isoDate: String(words[0][..<separator])),
      let time = TimeOfDay(String(words[0][words[0].index(after: separator)...]))
    else { return nil }
    return moment(start, time)
  }

  private func namedDay(_ word: String) -> CivilTime? {
    let days: [String: Int64] = ["today": 0, "yesterday": -1, "tomorrow": 1]
    guard let shift = days[word] else { return nil }
    let seconds = TimeText.seconds(of: now)
    var local = CivilTime(seconds: seconds + zone.offset(seconds) + shift * 86_400)
    local.second = 0
    return local
  }

  // MARK: Moments

  private func whole(_ day: CivilTime, _ edge: Edge) -> Timestamp? {
    switch edge {
    case .start: Self.timestamp(zone.moment(showing: day.seconds))
    case .end: Self.timestamp(zone.moment(showing: day.seconds + 86_400))
    }
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
