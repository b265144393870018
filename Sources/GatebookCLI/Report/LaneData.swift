internal import Gatebook

/// A lane as the script has it: its name, what it stands for, its spans and its bins.
///
/// A span is `[from, to, state, session, whether the session began with it, reason]`, a bin
/// `[number, logins, refreshes, challenges, failures]`, numbered from the first one of the report.
struct LaneData {
  let lane: ReportLane
  /// What lanes are called.
  let names: LaneNames
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
      .text(span.state.name), .text(LaneNames.short(span.session)), .bool(span.isFirst),
      .text(span.state.reason?.text ?? ""),
    ])
  }

  private func bin(_ bin: Int64, _ counts: ReportCounts) -> JSON {
    .list(
      [.integer(bin - firstBin)] + ReportMark.allCases.map { .integer(Int64(counts[$0])) })
  }
}
