extension CivilTime {
  /// Reads `2025-11-20` (ISO 8601, extended form); `nil` for anything else or no such day.
  init?(isoDate text: String) {
    var rest = Substring(text)
    guard let year = TimeOfDay.number(&rest, 4...4), rest.popFirst() == "-",
      let month = TimeOfDay.number(&rest, 2...2), rest.popFirst() == "-",
      let day = TimeOfDay.number(&rest, 2...2), rest.isEmpty
    else { return nil }
    self.init(year: year, month: month, day: day)
  }
}
