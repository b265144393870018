internal import Gatebook

extension CivilTime {
  /// Reads `2025-11-20`, `2025/11/20` and `20251120`: the year is first, so no other order is meant;
  /// `nil` for anything else or no such day.
  ///
  /// Source: ISO 8601-1 section 5.2.2 for the first and the last form.
  init?(isoDate text: String) {
    var rest = Substring(text)
    guard let year = TimeOfDay.number(&rest, 4...4) else { return nil }
    let separator = rest.first == "-" || rest.first == "/" ? rest.removeFirst() : nil
    guard let month = TimeOfDay.number(&rest, 2...2) else { return nil }
    if let separator, rest.popFirst() != separator { return nil }
    guard let day = TimeOfDay.number(&rest, 2...2), rest.isEmpty else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
