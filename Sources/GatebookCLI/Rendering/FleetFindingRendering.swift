internal import Gatebook
internal import GatebookFleet

/// A finding of a fleet as `fleet findings` prints it.
enum FleetFindingRendering {
  /// The documented object: one about many books lists them.
  static func json(_ finding: FleetFinding) -> JSON {
    let places = finding.places.map { place($0) }
    let isOfOne = finding.books == 1 && places.count == 1
    return .members(
      (isOfOne ? places[0] : []) + [
        ("rule", .text(finding.rule)),
        ("severity", .text(finding.severity.rawValue)),
        ("text", .text(finding.title.text(TimeText.machine))),
        ("account", finding.account.map { .text($0.description) }),
        ("positions", .list(finding.positions.map { .integer($0.rawValue) })),
        ("count", .integer(finding.count)),
        ("first", .time(finding.first)),
        ("last", .time(finding.last)),
        ("remedy", .text(finding.remedy)),
        ("books", isOfOne ? nil : .list(places.map { JSON.members($0) })),
      ])
  }

  private static func place(_ place: FleetFinding.Place) -> [(String, JSON?)] {
    FleetRendering.members(place.book, place.branch, place.machine) + [
      ("account", place.account.map { .text($0.description) })
    ]
  }

  /// The rules that were not applied, for programs.
  static func json(_ rules: [UncheckedRule]) -> JSON {
    [
      "unchecked": .list(
        rules.map { ["rule": .text($0.rule), "reason": .text($0.reason)] })
    ]
  }

  /// For people: how bad it is, what happened, where, and what to do.
  @MainActor static func lines(_ finding: FleetFinding, _ output: Output) -> [String] {
    let severity = finding.severity.rawValue
    let account = finding.account.map { ", \(AccountNames.short($0))" } ?? ""
    let span = FindingRendering.span(finding.first, finding.last, output.times)
    let indent = String(repeating: " ", count: 9)
    let place = [positions(finding), span].compactMap(\.self).joined(separator: ", ")
    return [
      output.painted(severity, FindingRendering.paint(finding.severity))
        + String(repeating: " ", count: 9 - severity.count)
        + Printable.text("\(finding.rule), \(machines(finding))\(account)")
    ]
      + [finding.title.text(output.times.text), "\(place.asSentenceStart).", finding.remedy].flatMap
    {
      WrappedText.paragraph(indent, Printable.text($0), width: output.columns)
    }
  }

  private static func machines(_ finding: FleetFinding) -> String {
    let named = finding.places.prefix(5).map {
      FleetRendering.name($0.book, $0.branch, $0.machine)
        + ($0.account.map { " (account \(AccountNames.short($0)))" } ?? "")
    }
    let rest = finding.books - Set(finding.places.prefix(5).map(\.book)).count
    return named.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
  }

  private static func positions(_ finding: FleetFinding) -> String? {
    guard !finding.positions.isEmpty else { return nil }
    let rest = finding.count - Int64(finding.positions.count)
    return (finding.count == 1 ? "Event " : "Events ")
      + finding.positions.map(\.description).joined(separator: ", ")
      + (rest > 0 ? " and \(rest) more" : "")
  }
}

extension String {
  /// The text with a capital letter at its beginning.
  fileprivate var asSentenceStart: String { prefix(1).uppercased() + dropFirst() }
}
