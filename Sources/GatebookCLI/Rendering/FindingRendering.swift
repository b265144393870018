internal import Gatebook

/// A finding as `findings` prints it.
enum FindingRendering {
  /// The documented object.
  static func json(_ finding: Finding) -> JSON {
    .present([
      "rule": .text(finding.rule.rawValue),
      "severity": .text(finding.severity.rawValue),
      "text": .text(finding.title.text(TimeText.machine)),
      "account": finding.account.map { .text($0.description) },
      "positions": .list(finding.positions.map { .integer($0.rawValue) }),
      "count": .integer(finding.count),
      "first": .time(finding.first),
      "last": .time(finding.last),
      "remedy": .text(finding.remedy),
    ])
  }

  /// For people: how bad it is, what happened, where, and what to do.
  @MainActor static func lines(
    _ finding: Finding, names: AccountNames, _ output: Output
  ) -> [String] {
    let severity = finding.severity.rawValue
    let account = finding.account.map { ", " + names[$0] } ?? ""
    let title = finding.title.text(output.times.text)
    let paragraphs = [
      title, "\(places(finding)), \(span(finding, output.times)).", finding.remedy,
    ]
    return [
      output.painted(severity, paint(finding.severity))
        + String(repeating: " ", count: 9 - severity.count)
        + Printable.text("\(finding.rule.rawValue)\(account)")
    ]
      + paragraphs.flatMap {
        WrappedText.paragraph(
          String(repeating: " ", count: 9), Printable.text($0), width: output.columns)
      }
  }

  /// How many there are of each severity, from the least one that was asked for.
  static func summary(_ findings: [Finding], least: Finding.Severity) -> String {
    summary(findings.map(\.severity), of: FindingRule.allCases.count, least: least)
  }

  /// The same of findings of so many rules.
  static func summary(
    _ severities: [Finding.Severity], of rules: Int, least: Finding.Severity
  ) -> String {
    guard !severities.isEmpty else {
      let what = least == .note ? "anything" : "anything of this severity"
      return "None of the \(rules) rules found \(what)."
    }
    let counts = Finding.Severity.allCases.reversed().compactMap { severity -> String? in
      let count = severities.count { $0 == severity }
      return count == 0 ? nil : "\(count) \(severity.rawValue)\(count == 1 ? "" : "s")"
    }
    return "Found: \(counts.joined(separator: ", "))."
  }

  private static func places(_ finding: Finding) -> String {
    let positions = finding.positions.map(\.description).joined(separator: ", ")
    let rest = finding.count - Int64(finding.positions.count)
    return (finding.count == 1 ? "Event " : "Events ") + positions
      + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func span(_ finding: Finding, _ times: TimeText) -> String {
    span(finding.first, finding.last, times)
  }

  /// From when to when it was.
  static func span(_ first: Timestamp, _ last: Timestamp, _ times: TimeText) -> String {
    // Two moments of one second are one for people.
    let (first, last) = (times.text(first), times.text(last))
    return first == last ? "at \(last)" : "\(first) to \(last)"
  }

  static func paint(_ severity: Finding.Severity) -> Paint {
    switch severity {
    case .note: .faint
    case .warning: .warning
    case .alarm: .bad
    }
  }
}
