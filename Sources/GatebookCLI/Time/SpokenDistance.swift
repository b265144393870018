/// How far back people say something was: `2h`, `90min`, `1d2h`, `2 months`.
///
/// Days and what is made of them are those of a calendar, so they may be an hour longer or shorter
/// than their hours; hours, minutes and seconds are always as long as they are.
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
