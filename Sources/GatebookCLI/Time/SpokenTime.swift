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
      if let time = Self.time(word) {
        guard self.time == nil, time.offset == nil || offset == nil else { return nil }
        self.time = time
        offset = time.offset ?? offset
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

  /// After a `T` a time may have no colons.
  private static func time(_ word: String) -> TimeOfDay? {
    word.first == "t" ? TimeOfDay(basic: word.dropFirst()) : TimeOfDay(word)
  }

  /// One word for each thing: a date and a time that are written together are two, `2 pm` is one.
  private static func parts(_ words: [String]) -> [String] {
    words.reduce(into: []) { parts, word in
      if word == "am" || word == "pm", let hour = parts.popLast() {
        parts.append(hour + word)
      } else if let end = dateEnd(word) {
        let rest = word[end...].dropFirst()
        let isBasic = word[end] == "t" && !rest.contains(":")
        parts += [String(word[..<end]), isBasic ? "t\(rest)" : String(rest)]
      } else {
        parts.append(word)
      }
    }
  }

  /// Where a date ends that a time follows in the same word: `2025-11-20T14:00`, and the
  /// `20/nov/2025:14:00:05` of a web server's log.
  private static func dateEnd(_ word: String) -> String.Index? {
    // A month may have a T of its own.
    word.indices.first { end in
      (word[end] == "t" || word[end] == ":") && SpokenDay.isWritten(String(word[..<end]))
    }
  }
}

/// How far back people say something was: `2h`, `90min`, `1d2h`, `2 months`.
///
/// Days, weeks and months are those of a calendar, so they may be an hour longer or shorter; hours,
/// minutes and seconds always have the same length.
struct SpokenDistance: Hashable, Sendable {
  private(set) var months: Int64 = 0
  private(set) var days: Int64 = 0
  private(set) var seconds: Int64 = 0

  private static let units: [String: SpokenDistance] = {
    let names: [(String, SpokenDistance)] = [
      ("s sec secs second seconds", SpokenDistance(seconds: 1)),
      ("m min mins minute minutes", SpokenDistance(seconds: 60)),
      ("h hr hrs hour hours", SpokenDistance(seconds: 3_600)),
      ("d day days", SpokenDistance(days: 1)), ("w week weeks", SpokenDistance(days: 7)),
      ("month months", SpokenDistance(months: 1)), ("y year years", SpokenDistance(months: 12)),
    ]
    let pairs = names.flatMap { names, unit in
      names.split(separator: " ").map { (String($0), unit) }
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }()

  private init(months: Int64 = 0, days: Int64 = 0, seconds: Int64 = 0) {
    self.months = months
    self.days = days
    self.seconds = seconds
  }

  /// Reads one unit by its name, such as `week`; `nil` for any other word.
  init?(unit word: String) {
    guard let unit = Self.units[word] else { return nil }
    self = unit
  }

  /// Reads number and unit, as often as they follow each other; `nil` for anything else.
  ///
  /// - Parameter words: Lower case; `a` and `an` count as one.
  init?(_ words: some Sequence<String>) {
    var rest = words.map { $0 == "a" || $0 == "an" ? "1" : $0 }.joined()[...]
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      guard let number = TimeOfDay.number(&rest, 1...6) else { return nil }
      let name = rest.prefix { $0.isLetter }
      guard let unit = Self.units[String(name)] else { return nil }
      rest.removeFirst(name.count)
      months += number * unit.months
      days += number * unit.days
      seconds += number * unit.seconds
    }
  }
}
