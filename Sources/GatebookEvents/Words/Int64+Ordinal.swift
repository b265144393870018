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
}
