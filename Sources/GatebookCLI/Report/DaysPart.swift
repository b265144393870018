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
  private static let rows: [(name: String, mark: ReportMark, style: String)] = [
    ("Logins", .login, "login"), ("Refreshes", .refresh, "refresh"),
    ("Failures", .failure, "failure"),
  ]
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
        <p class="note">All of it was on \(text(last.day)): \(figures(last.counts)).</p>
        \(table(days))
        """
    }
    var picture: HTML = """
      <div class="days" role="group" aria-label="Logins, refreshes and failures by day; the figures are in \
      the table below, and long periods without events are left out">

      """
    for row in Self.rows { picture += self.row(row.name, row.mark, row.style, columns) }
    if width(columns) < Self.fewest {
      picture += dates(columns)
    } else if case .day(let first, _) = columns.first {
      picture += """
        <div class="axis"><span>\(text(first))</span>\
        <span>\(Figure.text(count, "day", "days"))\(isCut(days, count) ? ", the newest" : "")</span>\
        <span>\(text(max(last.day, today)))</span></div>

        """
    }
    return picture + "</div>\n" + table(days)
  }

  private func width(_ columns: [Column]) -> Int { columns.reduce(0) { $0 + $1.width } }

  /// Few days do not reach to the end of a line: each has its date below it.
  private func dates(_ columns: [Column]) -> HTML {
    var axis: HTML = "<svg class=\"dates\" aria-hidden=\"true\">"
    for (number, column) in columns.enumerated() {
      guard case .day(let day, _) = column else { continue }
      let middle = (Double(number) + 0.5) / Double(Self.fewest)
      axis += """
        <text x="\(Figure.percent(middle))" y="12" text-anchor="middle">\
        \(String(text(day).suffix(5)))</text>
        """
    }
    return axis + "</svg>\n"
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
    var next: Day?
    if let last = days.last, last.day < today {
      columns.append(.day(today, nil))
      next = today
    }
    for (day, counts) in days.reversed() {
      if let next, next.rawValue - day.rawValue - 1 > Self.longestPause {
        columns.append(.pause(days: next.rawValue - day.rawValue - 1))
      } else if let next {
        for quiet in stride(from: next.rawValue - 1, to: day.rawValue, by: -1) {
          columns.append(.day(Day(rawValue: quiet), nil))
        }
      }
      columns.append(.day(day, counts))
      next = day
      if columns.count >= Self.most { break }
    }
    if columns.count > Self.most { columns.removeLast(columns.count - Self.most) }
    if case .pause = columns.last { columns.removeLast() }
    return columns.reversed()
  }

  private func row(
    _ name: String, _ mark: ReportMark, _ style: String, _ columns: [Column]
  ) -> HTML {
    let most = columns.reduce(0) { most, column in
      if case .day(_, let counts?) = column { max(most, counts[mark]) } else { most }
    }
    var html: HTML = """
      <h3>\(name)<small>most in a day: \(Figure.text(most))</small></h3><svg aria-hidden="true">
      """
    let width = 1 / Double(max(self.width(columns), Self.fewest))
    var left = 0.0
    for column in columns {
      switch column {
      case .day(let day, let counts):
        html += """
          <g class="day"><title>\(tip(day, counts))</title>\
          <rect class="room" x="\(Figure.percent(left))" width="\(Figure.percent(width))" \
          height="\(Self.height)"/>\(bar(counts?[mark] ?? 0, of: most, style, left, width))</g>
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

  private func tip(_ day: Day, _ counts: ReportCounts?) -> HTML {
    """
    \(text(day))
    \(Figure.text(counts?[.login] ?? 0, "login", "logins"))
    \(Figure.text(counts?[.refresh] ?? 0, "refresh", "refreshes"))
    \(Figure.text(counts?[.failure] ?? 0, "failure", "failures"))
    """
  }

  private func figures(_ counts: ReportCounts) -> String {
    "\(Figure.text(counts[.login], "login", "logins")), "
      + "\(Figure.text(counts[.refresh], "refresh", "refreshes")), "
      + Figure.text(counts[.failure], "failure", "failures")
  }

  private func table(_ days: [(day: Day, counts: ReportCounts)]) -> HTML {
    let rows = days.reversed().map { day, counts -> HTML in
      """
      <tr><th scope="row">\(text(day))</th><td class="number">\(Figure.text(counts[.login]))</td>\
      <td class="number">\(Figure.text(counts[.refresh]))</td>\
      <td class="number">\(Figure.text(counts[.failure]))</td></tr>
      """
    }
    let note = content.report.days.hasEarlier ? "; earlier days are left out" : ""
    return """
      <details><summary>The days as a table</summary><div class="scroll" tabindex="0" \
      role="region" aria-label="The days as a table"><table><caption>Days of UTC, the newest \
      first\(note)</caption><thead><tr><th scope="col">Day</th>\
      <th scope="col" class="number">Logins</th><th scope="col" class="number">Refreshes</th>\
      <th scope="col" class="number">Failures</th></tr></thead><tbody>
      \(HTML.lines(rows))</tbody></table></div></details>

      """
  }

  private func text(_ day: Day) -> String {
    CivilTime(seconds: day.start.seconds).dateText
  }
}
