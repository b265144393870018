internal import Gatebook

/// What the rules found, what matters most first.
struct FindingsPart {
  /// More than this many are only counted.
  private static let most = 200
  let content: ReportContent

  var html: HTML {
    guard !content.report.findings.isEmpty else {
      return """
        <p class="note">Nothing needs a person's attention. The rules: \(rules).\(past)</p>

        """
    }
    let sorted = content.report.findings.sorted {
      ($1.severity, $1.last) < ($0.severity, $0.last)
    }
    let rest = sorted.count - Self.most
    let more: HTML =
      rest > 0
      ? "<p class=\"note\">\(Figure.text(rest)) more: <code>gatebook findings</code></p>\n" : ""
    return "<ul class=\"findings\">\n"
      + HTML.lines(sorted.prefix(Self.most).map(item)) + "</ul>\n" + more
  }

  /// What the rules leave out of a time that is over.
  private var past: String {
    content.time.end(before: content.made) == nil
      ? ""
      : " Findings about the present, such as a session that never ended, are left out for a past period."
  }

  private var rules: String { FindingRule.allCases.map(\.threshold).joined(separator: "; ") }

  private func item(_ finding: Finding) -> HTML {
    let title = finding.title.text { content.times.text($0) }
    let severity = finding.severity.rawValue
    return """
      <li class="\(severity)"><h3><span class="badge">\(severity)</span> \(title)</h3>\
      <p class="quiet">\(when(finding)): \(positions(finding))</p><p>\(finding.remedy)</p></li>
      """
  }

  private func when(_ finding: Finding) -> String {
    let first = content.times.text(finding.first)
    let last = content.times.text(finding.last)
    return (first == last ? first : "\(first) to \(last)")
      + (finding.account.map { ", account \(content.names[$0])" } ?? "")
      + ", \(Figure.text(finding.count, "event", "events"))"
  }

  private func positions(_ finding: Finding) -> HTML {
    let links = finding.positions.map { position -> HTML in
      "<a href=\"#events\" data-position=\"\(position.description)\">\(position.description)</a> "
    }
    return links.reduce("", +) + (Int64(links.count) < finding.count ? "…" : "")
  }
}
