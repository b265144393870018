extension Int64 {
  /// Counts one more, up to the greatest: rows and events of a stranger's book may say anything.
  mutating func increase() {
    if self < .max { self += 1 }
  }
}
