internal import Gatebook

/// What lanes are called: by server and identity, for a report has no personal names.
enum LaneNames {
  /// The name on one line.
  static func text(_ owner: ReportLane.Owner) -> String {
    let (title, detail) = parts(owner)
    return detail.isEmpty ? title : "\(title) \(detail)"
  }

  /// Where it is, and which one.
  static func parts(_ owner: ReportLane.Owner) -> (title: String, detail: String) {
    switch owner {
    case .account(let id, _, let server): (ServerName.text(server), short(id))
    case .others(let count): (Figure.text(count, "other account", "other accounts"), "")
    case .book: ("The book itself", "")
    }
  }

  /// The beginning of an identity, as everywhere.
  static func short(_ id: some Identity) -> String { String(id.description.prefix(8)) }
}
