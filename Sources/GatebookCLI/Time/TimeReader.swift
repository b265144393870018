internal import Gatebook
internal import GatebookSystem

/// Reads times as people write them: `2025-11-20`, `yesterday 14:00`, `2h ago`, `last monday`.
///
/// Pure: the present time and the zone are parameters. A log holds the past: an ambiguous time
/// means its latest past moment.
struct TimeReader: Sendable {
  /// Which end of a time is meant.
  enum Edge: Sendable {
    /// The first moment: a day's midnight, and of a time of day the latest one that has been.
    case start
    /// The end, which does not belong to it: of a day the next midnight, of a time of day today's,
    /// also one that is still to come.
    case end
  }

  /// What time it is.
  let now: Timestamp
  /// The reader's zone.
  let zone: TimeZoneRule

  /// Reads a time or, as digits alone, a position.
  ///
  /// A time to the second is the end of that second: printed times of events are to the second, and
  /// a copied one means what had happened by then.
  func timeOrPosition(_ text: String) throws(UsageError) -> TimeArgument {
    guard let number = Int64(text), number >= 0, text.utf8.allSatisfy({ $0 != 0x2B }) else {
      let moment = try moment(text)
      let second = Pattern(
        "[0-9]:[0-9]{2}:[0-9]{2}($|[^.,0-9:]|[.,]($|[^0-9]))"
          + "|([0-9][Tt][0-9]{6}|@[0-9]+)($|[^.,0-9])")
      let isToTheSecond = second.match(in: text) != nil
      return .moment(isToTheSecond ? moment + .microseconds(999_999) : moment)
    }
    return .position(Position(rawValue: number))
  }

  /// Reads a time.
  ///
  /// - Parameters:
  ///   - text: ISO 8601, a day by its name or date with or without a time, a time of day, a
  ///     distance, or what HTTP, logs and `date` write.
  ///   - edge: Which end is meant.
  /// - Returns: The moment.
  /// - Throws: `UsageError` with examples.
  func moment(_ text: String, edge: Edge = .start) throws(UsageError) -> Timestamp {
    let words = Self.words(text)
    let spoken = SpokenTime(words)
    guard let moment = epoch(words) ?? distance(words) ?? spoken.flatMap({ self.moment($0, edge) })
    else {
      throw TimeRefusal(words: words, today: today).error
    }
    return moment
  }

  /// Whether a time of day was taken for one that has been, though the next of its kind is still to
  /// come.
  ///
  /// - Parameter text: What ``moment(_:edge:)`` reads.
  /// - Returns: `false` for a day or a distance: these name one moment.
  /// - Throws: `UsageError` for what is no time.
  func isStillToCome(_ text: String) throws(UsageError) -> Bool {
    guard SpokenTime(Self.words(text))?.time != nil else { return false }
    return try moment(text) != moment(text, edge: .end)
  }

  /// Words in lower case, without trailing commas and without a remark in brackets at the end, in
  /// which programs repeat the zone's name.
  private static func words(_ text: String) -> [String] {
    var text = text.lowercased()[...]
    if text.last == ")", let open = text.lastIndex(of: "(") { text = text[..<open] }
    return text.split { $0.isWhitespace }.map { word in
      word.last == "," ? String(word.dropLast()) : String(word)
    }
  }

  // MARK: Distances

  /// Seconds since 1970, as `date -d` takes them: `@1763647205`, `@1763647205.25`.
  private func epoch(_ words: [String]) -> Timestamp? {
    guard words.count == 1,
      let match = Pattern("^@([0-9]{1,11})([.,]([0-9]{1,9}))?$").match(in: words[0]),
      let seconds = match[1].flatMap({ Int64($0) })
    else { return nil }
    return Self.timestamp(seconds) + .microseconds(TimeOfDay.microseconds(match[3]))
  }

  /// `now`, `2h ago`, `30m`, `1 day 2 hours ago`, `last month`, `the last 2 hours`.
  private func distance(_ words: [String]) -> Timestamp? {
    if words == ["now"] { return now }
    let span = words.first == "the" ? words.dropFirst() : words[...]
    guard span.first == "last" || span.first == "past" else {
      return SpokenDistance(words.last == "ago" ? words.dropLast() : words[...]).flatMap(before)
    }
    let length = span.dropFirst()
    // `last day` could be yesterday, too.
    if length.count == 1, ["minute", "hour", "week", "month", "year"].contains(length.first) {
      return SpokenDistance(["1"] + length).flatMap(before)
    }
    return length.first?.first?.isNumber == true ? SpokenDistance(length).flatMap(before) : nil
  }

  /// The moment that lies so far back: first by the calendar, then by the clock.
  private func before(_ distance: SpokenDistance) -> Timestamp? {
    var moment = now
    if distance.months > 0 || distance.days > 0 {
      guard let day = CivilTime(today, monthsBack: distance.months) else { return nil }
      let wall = day.seconds - distance.days * 86_400 + local.second
      guard CivilTime(seconds: wall).year >= 1 else { return nil }
      moment =
        Self.timestamp(zone.moment(showing: wall)) + .microseconds(now.microseconds)
    }
    return moment - .seconds(distance.seconds)
  }

  // MARK: Days and times

  /// `yesterday 14:00`, `14:00 yesterday`, `last monday`, `noon`, `20 nov 2025`,
  /// `2025-11-20 14:00`.
  private func moment(_ spoken: SpokenTime, _ edge: Edge) -> Timestamp? {
    // Today is the day that it is there.
    let zone = spoken.offset.map { offset in TimeZoneRule { _ in offset } } ?? zone
    let there = TimeReader(now: now, zone: zone)
    return spoken.time.map { there.on(spoken, $0, edge) } ?? there.whole(spoken, edge)
  }

  /// A day or a month.
  private func whole(_ spoken: SpokenTime, _ edge: Edge) -> Timestamp? {
    if let month = spoken.wholeMonth {
      let end = edge == .start ? month.start : month.end
      return end.map { Self.timestamp(zone.moment(showing: $0.seconds)) }
    }
    guard spoken.hasDay else { return nil }
    return spoken.midnight(today).map { day in
      Self.timestamp(zone.moment(showing: day.seconds + (edge == .start ? 0 : 86_400)))
    }
  }

  /// A time of a day: a day that is not told, or not exactly, is the latest one on which that time
  /// has been.
  private func on(_ spoken: SpokenTime, _ time: TimeOfDay, _ edge: Edge) -> Timestamp? {
    guard let near = spoken.midnight(today) else { return nil }
    let moment = moment(near, time)
    guard edge == .start, moment > now, let earlier = spoken.midnight(today, isPast: true)
    else { return moment }
    return self.moment(earlier, time)
  }

  // MARK: Moments

  /// What a clock on the wall shows now.
  private var local: CivilTime {
    let seconds = now.seconds
    return CivilTime(seconds: seconds + zone.offset(seconds))
  }

  /// The midnight that began today.
  private var today: CivilTime {
    var today = local
    today.second = 0
    return today
  }

  private func moment(_ day: CivilTime, _ time: TimeOfDay) -> Timestamp {
    Self.timestamp(zone.moment(showing: day.seconds + time.second))
      + .microseconds(time.microsecond)
  }

  private static func timestamp(_ seconds: Int64) -> Timestamp {
    Timestamp(rawValue: seconds * 1_000_000)
  }
}

/// A moment as a person wrote it, or a position of the log.
enum TimeArgument: Hashable, Sendable {
  /// The end of the log at a position.
  case position(Position)
  /// A moment.
  case moment(Timestamp)
}
