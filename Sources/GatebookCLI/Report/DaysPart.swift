internal import Gatebook

/// Logins, refreshes and failures of each day: a picture of the newest, and all of them as a table.
struct DaysPart {
  /// The most days in the picture.
  private static let most = 92
  /// A longer pause is drawn as one column.
  private static let longestPause: Int64 = 14
  private static let height = 62
  private static let rows: [(name: String, mark: ReportMark, style: String)] = [
    ("Logins", .login, "login"), ("Refreshes", .refresh, "refresh"),
    ("Failures", .failure, "failure"),
  ]
  let content: ReportContent

  private enum Column {
    /// A day, with what was on it; `nil` for nothing.
    case day(Day, ReportCounts?)
    case pause
  }

  var html: HTML {
    let days = content.report.days.days
    guard let last = days.last else {
      return "<p class=\"note\">There was no login, no refresh and no failure.</p>\n"
    }
    let columns = columns(days)
    let count = columns.count { if case .day = $0 { true } else { false } }
    var picture: HTML = """
      <div class="days" role="group" aria-label="Logins, refreshes and failures by day; the \
      figures are in the table below">

      """
    for row in Self.rows { picture += self.row(row.name, row.mark, row.style, columns) }
    if case .day(let first, _) = columns.first {
      picture += """
        <div class="axis"><span>\(text(first))</span>\
        <span>\(Figure.text(count, "day", "days"))\(isCut(days, count) ? ", the newest" : "")</span>\
        <span>\(text(last.day))</span></div>

        """
    }
    return picture + "</div>\n" + table(days)
  }

  private func isCut(_ days: [(day: Day, counts: ReportCounts)], _ shown: Int) -> Bool {
    guard let first = days.first, let last = days.last else { return false }
    return content.report.days.hasEarlier
      || (days.count > 1 && shown == Self.most
        && last.day.rawValue - first.day.rawValue >= Int64(Self.most))
  }

  /// Days without anything in between belong to the picture, long pauses do not.
  private func columns(_ days: [(day: Day, counts: ReportCounts)]) -> [Column] {
    var columns: [Column] = []
    var next: Day?
    for (day, counts) in days.reversed() {
      if let next, next.rawValue - day.rawValue - 1 > Self.longestPause {
        columns.append(.pause)
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
    // Few days are not drawn as broad as the page.
    let width = 1 / Double(max(columns.count, 7))
    for (index, column) in columns.enumerated() {
      let left = Double(index) * width
      guard case .day(let day, let counts) = column else {
        html += """
          <text class="gap" x="\(Figure.percent(left + width / 2))" y="\(Self.height - 4)" \
          text-anchor="middle">…</text>
          """
        continue
      }
      html += """
        <g class="day"><title>\(tip(day, counts))</title>\
        <rect class="room" x="\(Figure.percent(left))" width="\(Figure.percent(width))" \
        height="\(Self.height)"/>\(bar(counts?[mark] ?? 0, of: most, style, left, width))</g>
        """
    }
    return html + "</svg>\n"
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
    CivilTime(seconds: TimeText.seconds(of: day.start)).dateText
  }
}
