internal import Gatebook

/// Sessions as bars on one line of time, for a terminal.
struct SessionLanes {
  /// More would not be looked at: the newest ones are shown.
  private static let most = 40
  private static let nameWidth = 10

  private let sessions: [SessionSummary]
  private let first: Timestamp
  private let last: Timestamp
  private let width: Int

  /// Makes the picture.
  ///
  /// - Parameters:
  ///   - sessions: In the order of their logins.
  ///   - end: The end of sessions that have not ended.
  ///   - columns: How wide the terminal is.
  init?(_ sessions: [SessionSummary], upTo end: Timestamp, columns: Int) {
    let shown = Array(sessions.suffix(Self.most))
    width = min(columns, 120) - Self.nameWidth
    // Below the lanes two times are side by side.
    guard width >= 44, let first = shown.map(\.started).min() else { return nil }
    self.sessions = shown
    self.first = first
    last = max(end, shown.compactMap(\.ended).max() ?? end, first + .seconds(1))
  }

  /// A lane for each session, and the time below them.
  @MainActor func lines(_ output: Output) -> [String] {
    let lanes = sessions.map { session in
      let start = column(session.started)
      let end = max(start + 1, session.ended.map { column($0) } ?? width)
      let bar = String(repeating: session.ended == nil ? "█" : "▒", count: end - start)
      return "\(session.id.description.prefix(8))  " + String(repeating: "·", count: start)
        + output.painted(bar, session.ended == nil ? .good : .faint)
        + (session.ended == nil ? "" : String(repeating: "·", count: width - end))
    }
    let (left, right) = (output.times.text(first), output.times.text(last))
    let gap = max(2, width - left.count - right.count)
    return lanes + [
      String(repeating: " ", count: Self.nameWidth) + left + String(repeating: " ", count: gap)
        + right
    ]
  }

  /// Where a moment lies, from 0 to one less than the width.
  private func column(_ moment: Timestamp) -> Int {
    let whole = Double((last - first).microseconds)
    let share = Double((moment - first).microseconds) / whole
    return min(width - 1, max(0, Int(share * Double(width))))
  }
}
