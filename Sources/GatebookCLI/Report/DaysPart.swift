internal import Gatebook

/// Logins, refreshes and failures of each day: a picture of the newest, and all of them as a table.
struct DaysPart {
  /// The most days in the picture.
  private static let most = 92
  /// A longer pause is drawn as a gap that says how long it was.
  private static let longestPause: Int64 = 14
  /// As wide as so many days: its length must fit in it.
  private static let pauseWidth = 6
  /// Fewer days are not drawn as broad as the page.
  private static let fewest = 7
  private static let height = 62
  private static let marks: [ReportMark] = [.login, .refresh, .failure]
  let content: ReportContent

  private enum Column {
    /// A day, with what was on it; `nil` for nothing.
    case day(Day, ReportCounts?)
    case pause(days: Int64)

    /// How broad it is, in days of the picture.
    var width: Int {
      if case .pause = self { DaysPart.pauseWidth } else { 1 }
    }
  }

  var html: HTML {
    let days = content.report.days.days
    guard let last = days.last else {
      return "<p class=\"note\">There was no login, no refresh and no failure.</p>\n"
    }
    let columns = columns(days)
    let count = columns.count { if case .day = $0 { true } else { false } }
    // One bar compares nothing.
    guard count > 1 else {
      return """
        <p class="note">All of it was on \(text(last.day)): \(last.counts.text(Self.marks)).</p>
        \(table(days))
        """
    }
    let width = columns.reduce(0) { $0 + $1.width }
    let picture = Self.marks.map { row($0, columns, max(width, Self.fewest)) }.reduce("", +)
    return """
      <div class="days" role="group" aria-label="Logins, refreshes and failures by day; the figures are in \
      the table below, and long periods without events are left out">
      \(picture)\(width < Self.fewest ? dates(columns) : axis(columns, count, isCut(days, count)))</div>
      \(table(days))
      """
  }

  /// Where the picture begins and ends.
  private func axis(_ columns: [Column], _ count: Int, _ isCut: Bool) -> HTML {
    guard case .day(let first, _) = columns.first, case .day(let last, _) = columns.last else {
      return ""
    }
    return """
      <div class="axis"><span>\(text(first))</span>\
      <span>\(Figure.text(count, "day", "days"))\(isCut ? ", the newest" : "")</span>\
      <span>\(text(last))</span></div>

      """
  }

  /// Few days do not reach to the end of a line: each has its date below it.
  private func dates(_ columns: [Column]) -> HTML {
    let dates = columns.enumerated().map { number, column -> HTML in
      guard case .day(let day, _) = column else { return "" }
      let middle = (Double(number) + 0.5) / Double(Self.fewest)
      return """
        <text x="\(Figure.percent(middle))" y="12" text-anchor="middle">\
        \(String(text(day).suffix(5)))</text>
        """
    }
    return "<svg class=\"dates\" aria-hidden=\"true\">\(dates.reduce("", +))</svg>\n"
  }

  private func isCut(_ days: [(day: Day, counts: ReportCounts)], _ shown: Int) -> Bool {
    guard let first = days.first, let last = days.last else { return false }
    return content.report.days.hasEarlier
      || (days.count > 1 && shown == Self.most
        && last.day.rawValue - first.day.rawValue >= Int64(Self.most))
  }

  /// The day on which the report was made, or the last one that it tells of: up to it the picture
  /// goes.
  private var today: Day { Day(of: content.last) }

  /// Days without anything in between belong to the picture, of long pauses only that there was
  /// one.
  private func columns(_ days: [(day: Day, counts: ReportCounts)]) -> [Column] {
    var columns: [Column] = []
    var next = max(today, days.last?.day ?? today)
    if days.last?.day != next { columns.append(.day(next, nil)) }
    for (day, counts) in days.reversed() {
      let quiet = max(0, next.rawValue - day.rawValue - 1)
      if quiet > Self.longestPause {
        columns.append(.pause(days: quiet))
      } else {
        columns += (0..<quiet).map { .day(Day(rawValue: next.rawValue - 1 - $0), nil) }
      }
      columns.append(.day(day, counts))
      next = day
      if columns.count >= Self.most { break }
    }
    columns = Array(columns.prefix(Self.most))
    if case .pause = columns.last { columns.removeLast() }
    return columns.reversed()
  }

  private func row(_ mark: ReportMark, _ columns: [Column], _ days: Int) -> HTML {
    let most = columns.reduce(0) { most, column in
      if case .day(_, let counts?) = column { max(most, counts[mark]) } else { most }
    }
    var html: HTML = """
      <h3>\(mark.heading)<small>most in a day: \(Figure.text(most))</small></h3><svg aria-hidden="true">
      """
    let width = 1 / Double(days)
    var left = 0.0
    for column in columns {
      switch column {
      case .day(let day, let counts):
        let figures = Self.marks.map { "\n\($0.text(counts?[$0] ?? 0))" as HTML }
        html += """
          <g class="day"><title>\(text(day))\(figures.reduce("", +))</title>\
          <rect class="room" x="\(Figure.percent(left))" width="\(Figure.percent(width))" \
          height="\(Self.height)"/>\(bar(counts?[mark] ?? 0, of: most, "\(mark)", left, width))</g>
          """
      case .pause(let days):
        html += pause(days, left, width * Double(Self.pauseWidth))
      }
      left += width * Double(column.width)
    }
    return html + "</svg>\n"
  }

  private func pause(_ days: Int64, _ left: Double, _ width: Double) -> HTML {
    """
    <g class="pause"><title>Nothing for \(Figure.text(days, "day", "days"))</title>\
    <rect x="\(Figure.percent(left + width * 0.04))" width="\(Figure.percent(width * 0.92))" \
    height="\(Self.height)"/><text x="\(Figure.percent(left + width / 2))" \
    y="\(Self.height / 2 + 4)" text-anchor="middle">\(length(days))</text></g>
    """
  }

  /// As much of a pause's length as there is room for.
  private func length(_ days: Int64) -> String {
    switch days {
    case ..<100: Figure.text(days, "day", "days")
    case ..<730: "\(days / 30) months"
    default: "\(days / 365) years"
    }
  }

  private func bar(
    _ count: Int, of most: Int, _ style: String, _ left: Double, _ width: Double
  ) -> HTML {
    guard count > 0 else { return "" }
    let height = max(2, count * (Self.height - 6) / max(1, most))
    return """
      <rect class="bar \(style)" x="\(Figure.percent(left + width * 0.15))" \
      width="\(Figure.percent(width * 0.7))" y="\(Self.height - height)" height="\(height)"/>
      """
  }

  private func table(_ days: [(day: Day, counts: ReportCounts)]) -> HTML {
    let note = content.report.days.hasEarlier ? "; earlier days are left out" : ""
    return HTML.table(
      "The days as a table", "Days of UTC, the newest first\(note)",
      ["Day"] + Self.marks.map(\.heading), numbers: 1..<4,
      days.reversed().map { day, counts in
        [text(day)] + Self.marks.map { Figure.text(counts[$0]) }
      })
  }

  private func text(_ day: Day) -> String {
    CivilTime(seconds: day.start.seconds).dateText
  }
}
