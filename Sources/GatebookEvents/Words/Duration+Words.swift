extension Duration {
  /// The duration in words, in its two greatest units, the lesser one rounded: `2 h 5 min`.
  ///
  /// Clocks are read one after the other: what they say of three days is often some microseconds
  /// less.
  package var words: String {
    guard components.seconds > 0 else { return "less than a second" }
    let least: Int64 = self < .seconds(600) ? 1 : self < .seconds(86_400) ? 60 : 3600
    // A stranger's event may tell of any time.
    let (rounded, isTooLong) = microseconds.addingReportingOverflow(least * 500_000)
    let seconds = (isTooLong ? .max : rounded) / (least * 1_000_000) * least
    return Duration.seconds(seconds).units
  }

  /// The duration in its two greatest units, the rest cut off: `2 d 3 h`, `5 min`, `850 ms`;
  /// negative ones with a sign.
  package var units: String {
    let milliseconds = microseconds / 1_000
    guard milliseconds >= 0 else { return "-" + (.zero - self).units }
    guard milliseconds >= 1_000 else { return "\(milliseconds) ms" }
    let seconds = milliseconds / 1_000
    let units: [(length: Int64, name: String)] = [
      (86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"),
    ]
    let index = units.firstIndex { seconds >= $0.length } ?? units.count - 1
    let greatest = "\(seconds / units[index].length) \(units[index].name)"
    guard index + 1 < units.count else { return greatest }
    let rest = seconds % units[index].length / units[index + 1].length
    return rest == 0 ? greatest : "\(greatest) \(rest) \(units[index + 1].name)"
  }

  /// The duration without its sign, whatever an event says.
  var size: Duration { .microseconds(Int64(clamping: microseconds.magnitude)) }
}

extension Int64 {
  /// Which one it is, in words as far as people say them: `second`, `third`, `21st`.
  package var ordinal: String {
    let words = ["first", "second", "third", "fourth", "fifth"]
    if (1...Int64(words.count)).contains(self) { return words[Int(self) - 1] }
    let ending =
      switch (self % 10, self % 100) {
      case (_, 11...13): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    return "\(self)\(ending)"
  }

  /// Counts one more, up to the greatest: rows and events of a stranger's book may say anything.
  mutating func increase() {
    if self < .max { self += 1 }
  }
}
