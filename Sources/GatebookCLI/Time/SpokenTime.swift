internal import Gatebook
internal import GatebookSystem

/// What a text says of a day and a time: `wed, 25 nov 2026 16:11:06 gmt`, `last monday at 9:15`.
///
/// The order in which people and programs write the words does not matter: no word can be two
/// things.
struct SpokenTime {
  /// The time of day; `nil` for the whole day.
  private(set) var time: TimeOfDay?
  /// Seconds east of UTC; `nil` for the reader's own zone.
  private(set) var offset: Int64?
  /// Days from today on, for a day that is named by it.
  private var shift: Int64?
  /// The day of the week; 0 is Monday.
  private var weekday: Int64?
  private var isLast = false
  private var year: Int64?
  private var month: Int64?
  private var day: Int64?

  private static let shifts: [String: Int64] = ["today": 0, "yesterday": -1, "tomorrow": 1]
  private static let weekdays = [
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// Reads words in lower case; `nil` for anything else than one day, one time, or both.
  init?(_ words: [String]) {
    let parts = Self.parts(words)
    isLast = parts.contains("last")
    for word in parts where word != "at" && word != "last" {
      guard take(word) else { return nil }
    }
    let isDate = year != nil || month != nil || day != nil
    let isWeekday = weekday != nil && !isDate
    guard shift == nil || (weekday == nil && !isDate), !isLast || isWeekday,
      // A month alone is all of its days; without a year it is not clear which one.
      !isDate || (month != nil && (day != nil || (year != nil && weekday == nil && time == nil))),
      // `yesterday at 14:00`.
      !parts.contains("at") || (time != nil && hasDay)
    else { return nil }
  }

  private mutating func take(_ word: String) -> Bool {
    if let time = TimeOfDay(word) { return set(\.time, time) }
    if let offset = ZoneOffset.seconds(word[...]) { return set(\.offset, offset) }
    if let shift = Self.shifts[word] { return set(\.shift, shift) }
    if let number = Self.number(of: word, in: Self.weekdays) { return set(\.weekday, number) }
    if let number = Self.number(of: word, in: Self.months) { return set(\.month, number + 1) }
    if let day = Pattern("^([0-9]{1,2})(\\.|st|nd|rd|th)?$").match(in: word)?[1] {
      return set(\.day, Int64(day))
    }
    // ISO 8601-1 section 5.2.2, and with slashes: the year is first, so no other order is meant.
    // What a year of fewer digits means is not plain.
    let two = "([0-9]{2})"
    let date = Pattern("^([0-9]{4})(-\(two)|\(two)\(two)|-\(two)-\(two)|/\(two)/\(two))?$")
    guard let match = date.match(in: word), let year = match[1], set(\.year, Int64(year)) else {
      return false
    }
    return (match[3] ?? match[4] ?? match[6] ?? match[8]).map { set(\.month, Int64($0)) } != false
      && (match[5] ?? match[7] ?? match[9]).map { set(\.day, Int64($0)) } != false
  }

  /// Sets what the words may say only once.
  private mutating func set<Value>(
    _ path: WritableKeyPath<SpokenTime, Value?>, _ value: Value?
  ) -> Bool {
    guard self[keyPath: path] == nil else { return false }
    self[keyPath: path] = value
    return true
  }

  /// The place of a name among others; its first three letters do, and so does what lies between.
  private static func number(of word: String, in names: [String]) -> Int64? {
    guard word.utf8.count >= 3 else { return nil }
    return names.firstIndex { $0.lowercased().hasPrefix(word) }.map { Int64($0) }
  }

  // MARK: Days

  /// Whether a day is named.
  var hasDay: Bool { shift != nil || weekday != nil || day != nil }

  /// The midnights that begin and end the month that is meant; `nil` where it is a day, and the end
  /// for the last month that there is.
  var wholeMonth: (start: CivilTime, end: CivilTime?)? {
    guard day == nil, let year, let month, let start = CivilTime(year: year, month: month, day: 1)
    else { return nil }
    return (start, CivilTime(start, monthsBack: -1))
  }

  /// The midnight that begins the day, for none the latest one; `nil` where there is no such day.
  ///
  /// - Parameters:
  ///   - today: The midnight that began today, in the reader's zone.
  ///   - isPast: Whether today itself is too late, as its time of day is still to come.
  /// - Returns: The midnight.
  func midnight(_ today: CivilTime, isPast: Bool = false) -> CivilTime? {
    func shifted(_ days: Int64) -> CivilTime { CivilTime(seconds: today.seconds + days * 86_400) }
    if let shift { return shifted(shift) }
    if day != nil || month != nil {
      return date(today, isPast).flatMap { weekday ?? $0.weekday == $0.weekday ? $0 : nil }
    }
    guard let weekday else { return shifted(isPast ? -1 : 0) }
    let back = (today.weekday - weekday + 7) % 7
    return shifted(back == 0 && (isPast || isLast) ? -7 : -back)
  }

  /// A date; without a year the latest one that has begun.
  private func date(_ today: CivilTime, _ isPast: Bool) -> CivilTime? {
    guard let month, let day else { return nil }
    if let year { return CivilTime(year: year, month: month, day: day) }
    // Between two 29ths of February there are up to eight years.
    return stride(from: today.year, through: max(1, today.year - 8), by: -1).lazy
      .compactMap { CivilTime(year: $0, month: month, day: day) }
      .first { $0.seconds < today.seconds || ($0.seconds == today.seconds && !isPast) }
  }

  /// Why there is no such day; `nil` where there is one.
  func fault(_ today: CivilTime) -> String? {
    guard day != nil else { return nil }
    guard let date = date(today, false) else { return "That day does not exist." }
    guard weekday ?? date.weekday != date.weekday else { return nil }
    return "That date is a \(Self.weekdays[Int(date.weekday)])."
  }

  /// One word for each thing: `2025-11-20T14:00` is a date and a time, `2 pm` is one time.
  private static func parts(_ words: [String]) -> [String] {
    let day = "([0-9]{8}|[0-9-]{10})"
    let forms: [(Pattern, (_ group: (Int) -> Substring) -> String)] = [
      (Pattern(" (am|pm)($|[^a-z0-9_])"), { "\($0(1))\($0(2))" }),
      // ISO 8601's basic form: `20251120T140005Z`.
      (
        Pattern("\(day)t([0-9]{2})([0-9]{2})([0-9]{2})?($|[^0-9:])"),
        { "\($0(1)) \($0(2)):\($0(3))" + ($0(4).isEmpty ? "" : ":\($0(4))") + $0(5) }
      ), (Pattern("\(day)t([0-9])"), { "\($0(1)) \($0(2))" }),
      // A web server's log: `20/nov/2025:14:00:05`.
      (
        Pattern("([0-9]{1,2})[-/]([a-z]+)[-/]([0-9]{4}):?"),
        { "\($0(1)) \($0(2)) \($0(3)) " }
      ),
      // A zone after a time: `14:00:05.25z`, `14:00+01:00`.
      (Pattern("(:[0-9]{2}([.,][0-9]{1,9})?)([z+-])"), { "\($0(1)) \($0(3))" }),
    ]
    let text = forms.reduce(words.joined(separator: " ")) { text, form in
      form.0.replace(in: text) { match in form.1 { match[$0] ?? "" } }
    }
    return text.split(separator: " ").map(String.init)
  }
}

extension CivilTime {
  /// Which day of the week the date is; 0 is Monday.
  fileprivate var weekday: Int64 {
    // 1970-01-01 was a Thursday; before it days count backwards.
    ((seconds / 86_400 + 3) % 7 + 7) % 7
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

  /// Reads number and unit, as often as they follow each other; `nil` for anything else.
  ///
  /// - Parameter words: Lower case; `a` and `an` count as one.
  init?(_ words: some Sequence<String>) {
    let text = words.map { $0 == "a" || $0 == "an" ? "1" : $0 }.joined()
    guard Pattern("^([0-9]{1,6}[a-z]+)+$").match(in: text) != nil else { return nil }
    for match in Pattern("([0-9]+)([a-z]+)").matches(in: text) {
      guard let number = match[1].flatMap({ Int64($0) }) else { return nil }
      switch match[2] {
      case "s", "sec", "secs", "second", "seconds": seconds += number
      case "m", "min", "mins", "minute", "minutes": seconds += number * 60
      case "h", "hr", "hrs", "hour", "hours": seconds += number * 3_600
      case "d", "day", "days": days += number
      case "w", "week", "weeks": days += number * 7
      case "month", "months": months += number
      case "y", "year", "years": months += number * 12
      default: return nil
      }
    }
  }
}
