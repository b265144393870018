internal import Gatebook

/// The newest events as rows: what is there without script, and on paper.
struct EventsPart {
  /// So many rows, the same as on a page of the script's table.
  static let count = 100
  let content: ReportContent
  /// The newest events, in their order.
  let events: [RecordedEvent]

  var html: HTML { HTML.lines(events.reversed().map(row)) }

  /// What the table holds.
  var note: String {
    let all = content.report.events
    let rows = min(all, Int64(BookReport.mostRows))
    let which =
      rows < all
      ? "The newest \(Figure.text(rows)) of \(Figure.text(all)) events\(ofTime). `gatebook log` and "
        + "`gatebook export` show the others."
      : all == 1 ? "The only event\(ofTime)." : "All \(Figure.text(all)) events\(ofTime)."
    let sealed =
      content.names.arePersonal
      ? "Personal data of the events is not in this file, except for the labels of accounts."
      : "Personal data of the events is not in this file."
    guard rows > Int64(Self.count) else { return "\(which) \(sealed)" }
    return "\(which) Without JavaScript the newest \(Self.count) are shown. \(sealed)"
  }

  private var ofTime: String { content.time == .whole ? "" : " of that time" }

  private func row(_ event: RecordedEvent) -> HTML {
    let mark = ReportMark(event.kind).map { "\($0)" } ?? "other"
    return """
      <tr><td class="number">\(event.position.description)</td>\
      <td>\(content.times.text(event.at))</td><td class="kind \(mark)">\(event.kind)</td>\
      <td>\(account(event))</td><td class="number">\(event.cause?.description ?? "")</td>\
      <td>\(FactText.short(event, content.times))</td></tr>
      """
  }

  private func account(_ event: RecordedEvent) -> String {
    guard let account = event.account else { return "" }
    let lane = content.report.lanes.first { lane in
      if case .account(account, _, _) = lane.owner { true } else { false }
    }
    return lane.map { content.names.text($0.owner) } ?? content.names.account(account)
  }
}
