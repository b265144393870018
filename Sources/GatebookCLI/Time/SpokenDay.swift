internal import Gatebook

/// Days as people name them: `yesterday`, `last monday`, `20 nov`, `2025-11-20`, `thu 20 nov 2025`.
struct SpokenDay {
  /// The midnight that began today, in the reader's zone.
  let today: CivilTime
  /// Whether today itself is too late, as its time of day is still to come.
  var isPast = false

  private static let relatives: [String: Int64] = ["today": 0, "yesterday": -1, "tomorrow": 1]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// The midnight that begins a day.
  ///
  /// - Parameter words: Words in lower case; none for the latest day that there is.
  /// - Returns: The day; `nil` for anything that is no day, and for a date on another day of the
  ///   week.
  func midnight(_ words: [String]) -> CivilTime? {
    if words.isEmpty { return shifted(days: isPast ? -1 : 0) }
    if words.count == 1, let shift = Self.relatives[words[0]] { return shifted(days: shift) }
    if let weekday = words.last.flatMap(Self.weekday) {
      guard words.count == 1 || (words.count == 2 && words[0] == "last") else { return nil }
      let back = (Self.weekday(of: today) - weekday + 7) % 7
      return shifted(days: back == 0 && (words.count == 2 || isPast) ? -7 : -back)
    }
    if let date = date(words) { return date }
    return dateOfWeekday(words).flatMap { $0.isRight ? $0.date : nil }
  }

  /// The date that follows the name of a day of the week, and whether it is on that day.
  private func dateOfWeekday(_ words: [String]) -> (date: CivilTime, isRight: Bool)? {
    guard let weekday = words.first.flatMap(Self.weekday), let date = date(words.dropFirst())
    else { return nil }
    return (date, weekday == Self.weekday(of: date))
  }

  /// Which day of the week a date is on that was said to be on another: `Monday`.
  func correctedWeekday(_ words: [String]) -> String? {
    guard let (date, isRight) = dateOfWeekday(words), !isRight else { return nil }
    let name = Self.weekdays[Int(Self.weekday(of: date))]
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// The midnights that begin and end a month of one year: `2025-11`, `nov 2025`; the second is
  /// `nil` for the last month that there is.
  static func month(_ words: [String]) -> (start: CivilTime, end: CivilTime?)? {
    let text = words.joined(separator: " ")
    let found =
      text.wholeMatch(of: /([0-9]{4})-([0-9]{2})/).map { (year: $0.1, month: Int64($0.2)) }
      ?? text.wholeMatch(of: /([a-z]+) ([0-9]{4})/).map { (year: $0.2, month: month($0.1)) }
    guard let found, let year = Int64(found.year), let month = found.month,
      let start = CivilTime(year: year, month: month, day: 1)
    else { return nil }
    return (start, CivilTime(start, monthsBack: -1))
  }

  // MARK: Dates

  /// A date; without a year the latest one that has begun.
  private func date(_ words: some Sequence<String>) -> CivilTime? {
    let text = words.joined(separator: " ")
    if let date = CivilTime(isoDate: text) { return date }
    // The day before or after the month, and the year at the end with its four digits: what fewer
    // of them mean is not plain.
    let dayFirst = /([0-9]{1,2})(?:\.|st|nd|rd|th)? ([a-z]+)(?: ([0-9]{4}))?/
    let monthFirst = /([a-z]+) ([0-9]{1,2})(?:\.|st|nd|rd|th)?(?: ([0-9]{4}))?/
    let found =
      text.wholeMatch(of: dayFirst).map { (day: $0.1, month: $0.2, year: $0.3) }
      ?? text.wholeMatch(of: monthFirst).map { (day: $0.2, month: $0.1, year: $0.3) }
    guard let found, let day = Int64(found.day), let month = Self.month(found.month) else {
      return nil
    }
    if let year = found.year { return CivilTime(year: Int64(year) ?? 0, month: month, day: day) }
    // Between two 29ths of February there are up to eight years.
    return stride(from: today.year, through: max(1, today.year - 8), by: -1).lazy
      .compactMap { CivilTime(year: $0, month: month, day: day) }
      .first { $0.seconds < today.seconds || ($0.seconds == today.seconds && !isPast) }
  }

  /// A month by its name, from 1 on.
  private static func month(_ word: Substring) -> Int64? {
    number(of: String(word), in: months).map { $0 + 1 }
  }

  /// A day of the week by its name; 0 is Monday.
  private static func weekday(_ word: String) -> Int64? { number(of: word, in: weekdays) }

  /// The place of a name among others; its first three letters do, and so does what lies between.
  private static func number(of word: String, in names: [String]) -> Int64? {
    guard word.utf8.count >= 3 else { return nil }
    return names.firstIndex { $0.hasPrefix(word) }.map { Int64($0) }
  }

  /// Which day of the week a date is, from Monday on.
  private static func weekday(of midnight: CivilTime) -> Int64 {
    // 1970-01-01 was a Thursday; before it days count backwards.
    ((midnight.seconds / 86_400 + 3) % 7 + 7) % 7
  }

  private func shifted(days: Int64) -> CivilTime {
    CivilTime(seconds: today.seconds + days * 86_400)
  }
}
