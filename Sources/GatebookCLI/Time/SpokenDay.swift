internal import Gatebook

/// Days as people name them: `yesterday`, `last monday`, `20 nov`, `2025-11-20`, `thu 20 nov 2025`.
enum SpokenDay: Hashable, Sendable {
  /// So many days from today.
  case relative(Int64)
  /// The latest day of the week by that name; with `last` today is not it. 0 is Monday.
  case weekday(Int64, isLast: Bool)
  /// A date; without a year the latest one that has begun. With a day of the week it is none on
  /// another.
  case date(year: Int64?, month: Int64, day: Int64, weekday: Int64? = nil)

  private static let relatives: [String: Int64] = ["today": 0, "yesterday": -1, "tomorrow": 1]
  private static let weekdays = [
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
  ]
  private static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
  ]

  /// Reads words in lower case; `nil` for anything that is no day.
  init?(_ words: [String]) {
    if words.count == 1, let shift = Self.relatives[words[0]] {
      self = .relative(shift)
    } else if let weekday = words.last.flatMap(Self.weekday), words.count == 1 {
      self = .weekday(weekday, isLast: false)
    } else if words.count == 2, words[0] == "last", let weekday = Self.weekday(words[1]) {
      self = .weekday(weekday, isLast: true)
    } else if let date = Self.date(words) {
      self = date
    } else if let weekday = words.first.flatMap(Self.weekday),
      case .date(let year, let month, let day, _) = Self.date(Array(words.dropFirst()))
    {
      self = .date(year: year, month: month, day: day, weekday: weekday)
    } else {
      return nil
    }
  }

  /// Whether a word is a whole date: `2025-11-20`, `20251120`, `20/nov/2025`.
  static func isWritten(_ word: String) -> Bool { date([word]) != nil }

  private static func date(_ words: [String]) -> SpokenDay? {
    switch words.count {
    case 1:
      if let date = CivilTime(isoDate: words[0]) {
        return .date(year: date.year, month: date.month, day: date.day)
      }
      // The month has a name, so it is plain which number is the day.
      let parts = words[0].split { $0 == "/" || $0 == "-" }.map(String.init)
      return parts.count == 3 ? date(parts[0], parts[1], year: parts[2]) : nil
    case 2, 3:
      // The day before or after the month, the year at the end.
      let year = words.count == 3 ? words[2] : nil
      return date(words[0], words[1], year: year) ?? date(words[1], words[0], year: year)
    default: return nil
    }
  }

  private static func date(_ day: String, _ month: String, year: String?) -> SpokenDay? {
    var digits = day[...]
    guard let number = TimeOfDay.number(&digits, 1...2),
      ["", ".", "st", "nd", "rd", "th"].contains(digits), let month = Self.month(month)
    else { return nil }
    guard let year else {
      // A year with a 29th of February shows whether there can be such a day at all.
      guard CivilTime(year: 2024, month: month, day: number) != nil else { return nil }
      return .date(year: nil, month: month, day: number)
    }
    guard let year = Self.year(year), CivilTime(year: year, month: month, day: number) != nil else {
      return nil
    }
    return .date(year: year, month: month, day: number)
  }

  /// Four digits: what less of them mean is not plain.
  static func year(_ word: String) -> Int64? {
    var rest = word[...]
    guard let year = TimeOfDay.number(&rest, 4...4), rest.isEmpty else { return nil }
    return year
  }

  /// A month by its name, from 1 on.
  static func month(_ word: String) -> Int64? { number(of: word, in: months).map { $0 + 1 } }

  private static func weekday(_ word: String) -> Int64? { number(of: word, in: weekdays) }

  /// The place of a name among others; its first three letters do, and so does what lies between.
  private static func number(of word: String, in names: [String]) -> Int64? {
    guard word.utf8.count >= 3, let index = names.firstIndex(where: { $0.hasPrefix(word) }) else {
      return nil
    }
    return Int64(index)
  }

  // MARK: The calendar

  /// The midnight that begins the day.
  ///
  /// - Parameters:
  ///   - today: Of today, in the reader's zone.
  ///   - isPast: Whether today itself is too late, as its time of day is still to come.
  /// - Returns: The day; `nil` for one before year 1, and for a date on another day of the week.
  func midnight(_ today: CivilTime, isPast: Bool = false) -> CivilTime? {
    switch self {
    case .relative(let shift): return Self.shifted(today, days: shift)
    case .weekday(let weekday, let isLast):
      let back = (Self.weekday(of: today) - weekday + 7) % 7
      return Self.shifted(today, days: back == 0 && (isLast || isPast) ? -7 : -back)
    case .date(let year, let month, let day, let weekday):
      guard let date = Self.date(year, month, day, today, isPast: isPast),
        weekday.map({ $0 == Self.weekday(of: date) }) != false
      else { return nil }
      return date
    }
  }

  private static func date(
    _ year: Int64?, _ month: Int64, _ day: Int64, _ today: CivilTime, isPast: Bool
  ) -> CivilTime? {
    if let year { return CivilTime(year: year, month: month, day: day) }
    // Between two 29ths of February there are up to eight years.
    for year in stride(from: today.year, through: max(1, today.year - 8), by: -1) {
      guard let date = CivilTime(year: year, month: month, day: day) else { continue }
      let isLate = date.seconds > today.seconds || (isPast && date.seconds == today.seconds)
      if !isLate { return date }
    }
    return nil
  }

  /// What the day of the week is called that a date is on: `Monday`.
  static func name(ofDay midnight: CivilTime) -> String {
    let name = weekdays[Int(weekday(of: midnight))]
    return name.prefix(1).uppercased() + name.dropFirst()
  }

  /// Which day of the week a date is, from Monday on.
  private static func weekday(of midnight: CivilTime) -> Int64 {
    // 1970-01-01 was a Thursday; before it days count backwards.
    ((midnight.seconds / 86_400 + 3) % 7 + 7) % 7
  }

  private static func shifted(_ today: CivilTime, days: Int64) -> CivilTime {
    var day = CivilTime(seconds: today.seconds + days * 86_400)
    day.second = 0
    return day
  }
}

/// A month of one year: `2025-11`, `nov 2025`.
struct SpokenMonth {
  /// The midnight that begins it.
  let start: CivilTime
  /// The midnight that ends it; `nil` for the last month that there is.
  let end: CivilTime?

  /// Reads words in lower case; `nil` for anything that is no month with its year.
  init?(_ words: [String]) {
    let numbers =
      words.count == 1 ? words[0].split(separator: "-", omittingEmptySubsequences: false) : []
    let found: (year: Int64, month: Int64)? =
      if numbers.count == 2, numbers[1].count == 2,
        numbers[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let year = SpokenDay.year(String(numbers[0])),
        let month = Int64(numbers[1])
      {
        (year, month)
      } else if words.count == 2, let month = SpokenDay.month(words[0]),
        let year = SpokenDay.year(words[1])
      {
        (year, month)
      } else {
        nil
      }
    guard let found, let start = CivilTime(year: found.year, month: found.month, day: 1) else {
      return nil
    }
    self.start = start
    end = CivilTime(start, monthsBack: -1)
  }
}
