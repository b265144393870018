internal import Gatebook

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
