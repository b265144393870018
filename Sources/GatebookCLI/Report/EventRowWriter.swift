internal import Gatebook

/// Writes events as the script's rows: `[position, at, kind, account, cause, session, facts]`.
///
/// A kind is a number of ``kinds``. An account is the number of its lane, the beginning of its
/// identity where it has none, `null` for the book's own stream; a cause of 0 is none.
struct EventRowWriter {
  private let times: TimeText
  private let lanes: [AccountID: Int]
  private let labels: LaneNames
  private var numbers: [String: Int] = [:]
  private var names: [String] = []

  init(_ content: ReportContent) {
    times = content.times
    labels = content.names
    var lanes: [AccountID: Int] = [:]
    for (number, lane) in content.report.lanes.enumerated() {
      if case .account(let id, _, _) = lane.owner { lanes[id] = number }
    }
    self.lanes = lanes
  }

  /// The kinds that were written, each with the number of its mark; one without a mark has 9.
  var kinds: JSON {
    .list(
      names.map { .list([.text($0), .integer(Int64(ReportMark($0)?.rawValue ?? 9))]) })
  }

  mutating func append(_ event: RecordedEvent, to bytes: inout [UInt8]) {
    bytes.add("[")
    bytes.add(event.position.rawValue)
    bytes.add(",")
    bytes.add(event.at.milliseconds)
    bytes.add(",")
    bytes.add(Int64(number(event.kind)))
    bytes.add(",")
    if let account = event.account {
      if let lane = lanes[account] {
        bytes.add(Int64(lane))
      } else {
        bytes += JSON.text(labels.account(account)).scriptBytes
      }
    } else {
      bytes.add("null")
    }
    bytes.add(",")
    bytes.add(event.cause?.rawValue ?? 0)
    bytes.add(",\"")
    bytes += (event.session.map(LaneNames.short) ?? "").utf8
    bytes.add("\",")
    bytes += JSON.text(FactText.short(event, times)).scriptBytes
    bytes.add("]")
  }

  private mutating func number(_ kind: String) -> Int {
    if let known = numbers[kind] { return known }
    numbers[kind] = names.count
    names.append(Printable.text(kind))
    return names.count - 1
  }
}
