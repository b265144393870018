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
      content.names.labels.isEmpty
      ? "Personal data of the events is not in this file."
      : "Personal data of the events is not in this file, except for the labels of accounts."
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
    let lane = content.report.lanes.first { $0.account == account }
    return lane.map { content.names.text($0.owner) } ?? content.names[account]
  }
}

/// Writes events as the script's rows: `[position, at, kind, account, cause, session, facts]`.
///
/// A kind is a number of ``kinds``. An account is the number of its lane, the beginning of its
/// identity where it has none, `null` for the book's own stream; a cause of 0 is none.
struct EventRowWriter {
  private let times: TimeText
  private let lanes: [AccountID: Int]
  private let labels: AccountNames
  private var numbers: [String: Int] = [:]
  private var names: [String] = []

  init(_ content: ReportContent) {
    times = content.times
    labels = content.names
    var lanes: [AccountID: Int] = [:]
    for (number, lane) in content.report.lanes.enumerated() {
      if let account = lane.account { lanes[account] = number }
    }
    self.lanes = lanes
  }

  /// The kinds that were written, each with the number of its mark; one without a mark has 9.
  var kinds: JSON {
    .list(
      names.map { .list([.text($0), .integer(Int64(ReportMark($0)?.rawValue ?? 9))]) })
  }

  mutating func append(_ event: RecordedEvent, to bytes: inout [UInt8]) {
    let account: JSON =
      event.account.map { account in
        lanes[account].map { .integer(Int64($0)) } ?? .text(Printable.text(labels[account]))
      } ?? .null
    let row: JSON = .list([
      .integer(event.position.rawValue), .integer(event.at.milliseconds),
      .integer(Int64(number(event.kind))), account, .integer(event.cause?.rawValue ?? 0),
      .text(event.session.map(AccountNames.short) ?? ""), .text(FactText.short(event, times)),
    ])
    bytes += row.scriptBytes
  }

  private mutating func number(_ kind: String) -> Int {
    if let known = numbers[kind] { return known }
    numbers[kind] = names.count
    names.append(Printable.text(kind))
    return names.count - 1
  }
}
