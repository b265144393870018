extension Duration {
  /// The duration in words, in its two greatest units: `2 h 5 min`.
  var words: String {
    let seconds = components.seconds
    guard seconds > 0 else { return "less than a second" }
    let units: [(size: Int64, name: String)] = [
      (86_400, "d"), (3600, "h"), (60, "min"), (1, "s"),
    ]
    var rest = seconds
    var parts: [String] = []
    for unit in units where parts.count < 2 {
      let count = rest / unit.size
      rest %= unit.size
      if count > 0 { parts.append("\(count) \(unit.name)") } else if !parts.isEmpty { break }
    }
    return parts.joined(separator: " ")
  }
}
