internal import Gatebook

/// Writes a report as one page of HTML that needs nothing beside itself.
struct ReportPage {
  /// Takes the next bytes of a page.
  typealias Pass = ([UInt8]) throws(GatebookError) -> Void
  /// Hears how far the rows have come.
  typealias Progress = (Position) throws(GatebookError) -> Void

  private let content: ReportContent
  private let reader: BookReader
  private let newest: [RecordedEvent]

  /// Makes a page.
  ///
  /// - Parameters:
  ///   - content: What it tells.
  ///   - reader: The book, opened without its key: nothing personal but labels can be on the page.
  /// - Throws: Storage failures.
  init(_ content: ReportContent, _ reader: BookReader) throws(GatebookError) {
    self.content = content
    self.reader = reader
    var filter = content.filter
    // A few more than are shown: what was written since is left out.
    filter.limit = EventsPart.count * 10
    newest = Array(
      try reader.events(filter).filter { $0.position <= content.end }.suffix(EventsPart.count))
  }

  /// Writes the page.
  ///
  /// - Parameters:
  ///   - pass: Takes the next bytes of it.
  ///   - progress: Hears how far the rows have come.
  /// - Throws: What `pass` and `progress` throw; storage failures.
  func write(to pass: Pass, progress: Progress) throws(GatebookError) {
    for piece in PageFrame(PageFiles.frame).pieces {
      switch piece {
      case .bytes(let bytes): try pass(bytes)
      case .gap("style"): try pass(PageFiles.style)
      case .gap("script"): try pass(PageFiles.script)
      case .gap("lanes"): try writeLanes(to: pass)
      case .gap("data"): try writeData(to: pass, progress)
      case .gap(let name): try pass(Array(part(name).text.utf8))
      }
    }
  }

  private func part(_ name: String) -> HTML {
    switch name {
    case "policy": HTML(stringLiteral: PageFiles.policy)
    case "title": "\(title)"
    case "subtitle": "\(subtitle)"
    case "origin": origin
    case "figures": FiguresPart(content: content).html
    case "findings": FindingsPart(content: content).html
    case "days": DaysPart(content: content).html
    case "timeline-note": "\(timelineNote)"
    case "accounts": LanesPart(content: content).table
    case "events-note": "\(EventsPart(content: content, events: newest).note)"
    case "events": EventsPart(content: content, events: newest).html
    case "footer": footer
    default: preconditionFailure("The page has a gap that nothing is put in: \(name)")
    }
  }

  private var title: String {
    content.account.map { "Gatebook report on account \(content.names[$0])" }
      ?? "Gatebook report"
  }

  private var subtitle: String {
    let start = content.times.text(content.report.start)
    let end = content.times.text(content.report.end)
    return (start == end ? start : "\(start) to \(end)") + ", "
      + Figure.text(content.report.events, "event", "events")
  }

  /// Which book it is of, and whose clock the times are by.
  private var origin: HTML {
    let zone = ZoneSpans(
      zone: content.zone, start: content.report.start, end: content.report.end
    ).words(at: content.made)
    let part: HTML =
      content.timeText.map {
        "<p><strong>Only a part of the book: this page covers the time \($0).</strong></p>\n"
      } ?? ""
    return """
      \(part)<p>Book <code>\(content.book.description)</code> as of position \(content.end.description), \
      \(content.times.text(content.made)). Times are in \(zone).</p>
      """
  }

  private var timelineNote: String {
    let lanes =
      content.report.accounts > Int64(BookReport.mostLanes)
      ? "The \(BookReport.mostLanes) accounts with the newest events have timelines. " : ""
    return lanes
      + "The bar of each timeline is the state of the account's session. Below it are logins "
      + "and challenges, refreshes, and failures."
  }

  private var footer: HTML {
    """
    <p>Made \(content.times.text(content.made)) by gatebook \(CommandTable.version) from book \
    <code>\(content.book.description)</code> as of position \(content.end.description), whose root \
    is <code>\(content.root)</code>: <code>gatebook verify</code> proves it. \(privacy)</p>
    """
  }

  private var privacy: String {
    content.names.labels.isEmpty
      ? "This file contains no personal data: accounts are named by their server and the beginning of "
        + "their id."
      : "This file contains the labels of accounts, which may be personal."
  }

  /// One after the other: many lanes at once would take much room.
  private func writeLanes(to pass: Pass) throws(GatebookError) {
    let part = LanesPart(content: content)
    try pass(Array(part.axis.text.utf8))
    for (number, lane) in content.report.lanes.enumerated() {
      try pass(Array(part.lane(lane, number).text.utf8))
    }
  }

  // MARK: Data

  private func writeData(to pass: Pass, _ progress: Progress) throws(GatebookError) {
    let report = content.report
    let firstBin = report.scale.bin(of: report.start)
    let zone = ZoneSpans(zone: content.zone, start: report.start, end: report.end)
    let head: JSON = [
      "zone": zone.json, "from": .integer(report.start.milliseconds),
      "to": .integer(report.end.milliseconds + 1),
      "binFrom": .integer(report.scale.start(of: firstBin).milliseconds),
      "binMicroseconds": .integer(report.scale.width), "total": .integer(report.events),
    ]
    try pass(head.scriptBytes.dropLast() + Array(",\"accounts\":[".utf8))
    for (number, lane) in report.lanes.enumerated() {
      let data = LaneData(lane: lane, names: content.names, firstBin: firstBin).json.scriptBytes
      try pass((number == 0 ? [] : [UInt8(ascii: ",")]) + data)
    }
    try pass(Array("],\"events\":[".utf8))
    var writer = EventRowWriter(content)
    try writeRows(&writer, to: pass, progress)
    try pass(Array("],\"kinds\":".utf8) + writer.kinds.scriptBytes + [UInt8(ascii: "}")])
  }

  private func writeRows(
    _ writer: inout EventRowWriter, to pass: Pass, _ progress: Progress
  ) throws(GatebookError) {
    guard let oldest = content.report.oldestRow else { return }
    var filter = content.filter
    filter.limit = 1024
    var last = Position(rawValue: oldest.rawValue - 1)
    var isFirst = true
    while last < content.end {
      filter.after = last
      var bytes: [UInt8] = []
      let events = try reader.events(filter)
      for event in events where event.position <= content.end {
        bytes += isFirst ? [10] : [UInt8(ascii: ","), 10]
        isFirst = false
        writer.append(event, to: &bytes)
      }
      try pass(bytes)
      last = events.last?.position ?? content.end
      try progress(last)
    }
  }
}
