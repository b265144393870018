internal import Gatebook

/// The lanes as they are without script, and on paper; a script redraws them to zoom.
struct LanesPart {
  /// Marks that are closer than a column overlap.
  private static let columns: Int64 = 200
  let content: ReportContent

  /// The line above the lanes.
  var axis: HTML {
    let middle = Timestamp(
      rawValue: content.report.start.rawValue / 2 + content.report.end.rawValue / 2)
    return """
      <div class="axis-row"><span></span><svg id="axis" aria-hidden="true">\
      <text y="14">\(text(content.report.start))</text>\
      <text x="50%" y="14" text-anchor="middle">\(text(middle))</text>\
      <text x="100%" y="14" text-anchor="end">\(text(content.report.end))</text></svg></div>

      """
  }

  /// To the minute; to the second where minutes would not tell the places apart.
  private func text(_ moment: Timestamp) -> String {
    let isShort = content.report.end - content.report.start < .seconds(600)
    return String(content.times.text(moment).prefix(isShort ? 19 : 16))
  }

  /// One lane with its number.
  func lane(_ lane: ReportLane, _ number: Int) -> HTML {
    let (title, detail) = content.names.parts(lane.owner)
    let id: HTML = detail.isEmpty ? "" : " <code>\(detail)</code>"
    return """
      <div class="lane" data-lane="\(number)"><div class="who"><b>\(title)</b>\(id)\
      <small>\(about(lane))</small></div><svg class="plot" role="img" \
      aria-label="\(summary(lane))">\(spans(lane))\(marks(lane))</svg></div>

      """
  }

  private func about(_ lane: ReportLane) -> String {
    guard case .account(_, let method, _) = lane.owner else {
      return Figure.text(lane.events, "event", "events")
    }
    return [
      method, lane.state?.text ?? "no session yet",
      lane.hasEarlierSpans ? "earlier states are not drawn" : "",
    ].filter { !$0.isEmpty }.joined(separator: " · ")
  }

  private func summary(_ lane: ReportLane) -> String {
    "\(content.names.text(lane.owner)): \(lane.counts.text(ReportMark.allCases))"
  }

  private func spans(_ lane: ReportLane) -> HTML {
    lane.spans.reduce(into: "") { html, span in
      let left = content.place(span.start)
      let isThin = span.state.name == "needsLogin"
      html += """
        <rect class="span \(span.state.name)" x="\(Figure.percent(left))" \
        width="\(Figure.percent(max(content.place(span.end) - left, 0.001)))" \
        y="\(isThin ? 8 : 4)" height="\(isThin ? 4 : 12)"/>
        """
    }
  }

  private func marks(_ lane: ReportLane) -> HTML {
    let scale = content.report.scale
    let first = scale.bin(of: content.report.start)
    let count = scale.bin(of: content.report.end) - first + 1
    var columns: [Int64: ReportCounts] = [:]
    for (bin, counts) in lane.bins {
      let column = min((bin - first) * Self.columns / count, Self.columns - 1)
      columns[column, default: ReportCounts()].add(counts)
    }
    return columns.sorted { $0.key < $1.key }.reduce(into: "") { html, column in
      let x = Figure.percent((Double(column.key) + 0.5) / Double(Self.columns))
      for (mark, name, y) in Self.shapes where column.value[mark] > 0 {
        html += "<use href=\"#\(name)\" class=\"mark \(name)\" x=\"\(x)\" y=\"\(y)\"/>"
      }
    }
  }

  private static let shapes: [(mark: ReportMark, name: String, y: Int)] = [
    (.refresh, "refresh", 34), (.challenge, "challenge", 24), (.login, "login", 24),
    (.failure, "failure", 44),
  ]

  /// The lanes' figures as a table: all that the picture says, for those who cannot see it.
  var table: HTML {
    let marks = ReportMark.allCases
    let rows = (content.report.lanes + content.silent.map(ReportLane.silent)).map { lane in
      let method = if case .account(_, let method, _) = lane.owner { method } else { "" }
      let numbers = [Int(lane.events)] + marks.map { lane.counts[$0] } + [lane.offline]
      return [content.names.text(lane.owner), method, lane.state?.text ?? ""]
        + numbers.map { Figure.text($0) }
        + [lane.first, lane.last].map { $0.map(content.times.text) ?? "" }
    }
    return HTML.table(
      "The accounts as a table", "Accounts, the one with the newest event first",
      ["Account", "Method", "State", "Events"] + marks.map(\.heading)
        + ["Resumed offline", "First", "Last"], numbers: 3..<9, rows)
  }
}

/// A lane as the script has it: its name, what it stands for, its spans and its bins.
///
/// A span is `[from, to, state, session, whether the session began with it, reason]`, a bin
/// `[number, logins, refreshes, challenges, failures]`, numbered from the first one of the report.
struct LaneData {
  let lane: ReportLane
  /// What lanes are called.
  let names: AccountNames
  /// The report's first bin.
  let firstBin: Int64

  var json: JSON {
    [
      "name": .text(Printable.text(names.text(lane.owner))),
      "of": .text(owner),
      "spans": .list(lane.spans.map(Self.span)),
      "bins": .list(lane.bins.map { bin($0, $1) }),
    ]
  }

  private var owner: String {
    switch lane.owner {
    case .account: "account"
    case .others: "others"
    case .book: "book"
    }
  }

  private static func span(_ span: ReportSpan) -> JSON {
    .list([
      .integer(span.start.milliseconds), .integer(span.end.milliseconds),
      .text(span.state.name), .text(AccountNames.short(span.session)), .bool(span.isFirst),
      .text(span.state.reason?.text ?? ""),
    ])
  }

  private func bin(_ bin: Int64, _ counts: ReportCounts) -> JSON {
    .list(
      [.integer(bin - firstBin)] + ReportMark.allCases.map { .integer(Int64(counts[$0])) })
  }
}

/// What lanes are called: by server and identity, and by labels where the owner of the book wants
/// them.
extension AccountNames {
  /// The name on one line.
  func text(_ owner: ReportLane.Owner) -> String {
    let (title, detail) = parts(owner)
    return detail.isEmpty ? title : "\(title) \(detail)"
  }

  /// Where it is, and which one.
  func parts(_ owner: ReportLane.Owner) -> (title: String, detail: String) {
    switch owner {
    case .account(let id, _, let server):
      ((labels[id].map { "\($0), " } ?? "") + ServerName.text(server), Self.short(id))
    case .others(let count): (Figure.text(count, "other account", "other accounts"), "")
    case .book: ("The book itself", "")
    }
  }
}
