/// How far a zone is ahead of UTC, as people write it behind a time.
enum ZoneOffset {
  /// Reads `z`, `utc`, `gmt`, `+01:00`, `-0530`, `+01`, `gmt+0100`, in lower case.
  ///
  /// Of zones by letters only these are one zone for everybody.
  ///
  /// - Parameter text: What stands behind the time, or a word of its own.
  /// - Returns: Seconds east of UTC; `nil` for anything else.
  static func seconds(_ text: Substring) -> Int64? {
    if ["z", "utc", "gmt"].contains(text) { return 0 }
    var rest = text
    if rest.hasPrefix("utc") || rest.hasPrefix("gmt") { rest.removeFirst(3) }
    guard let sign = rest.popFirst(), sign == "+" || sign == "-",
      let hours = TimeOfDay.number(&rest, 2...2), hours < 24
    else { return nil }
    var minutes: Int64 = 0
    if !rest.isEmpty {
      if rest.first == ":" { rest.removeFirst() }
      guard let given = TimeOfDay.number(&rest, 2...2), given < 60, rest.isEmpty else { return nil }
      minutes = given
    }
    return (hours * 3_600 + minutes * 60) * (sign == "-" ? -1 : 1)
  }
}
