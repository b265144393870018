internal import Gatebook

/// What lanes are called: by server and identity, and by labels where the owner of the book wants them.
struct LaneNames {
  /// The labels; empty for a report without personal names.
  private let labels: [AccountID: String]

  /// Names without labels.
  init() { labels = [:] }

  /// Names with the labels of these accounts.
  init(labelsOf contexts: [SessionContext]) {
    labels = Dictionary(
      contexts.compactMap { context in
        context.label?.value.map { (context.account, Printable.text($0)) }
      }
    ) { $1 }
  }

  /// Whether personal names are among them.
  var arePersonal: Bool { !labels.isEmpty }

  /// The name on one line.
  func text(_ owner: ReportLane.Owner) -> String {
    let (title, detail) = parts(owner)
    return detail.isEmpty ? title : "\(title) \(detail)"
  }

  /// Where it is, and which one.
  func parts(_ owner: ReportLane.Owner) -> (title: String, detail: String) {
    switch owner {
    case .account(let id, _, let server):
      (
        (labels[id].map { "\($0), " } ?? "") + ServerName.text(server), Self.short(id)
      )
    case .others(let count): (Figure.text(count, "other account", "other accounts"), "")
    case .book: ("The book itself", "")
    }
  }

  /// The name of an account: its label, otherwise the beginning of its identity.
  func account(_ id: AccountID) -> String { labels[id] ?? Self.short(id) }

  /// The beginning of an identity, as everywhere.
  static func short(_ id: some Identity) -> String { String(id.description.prefix(8)) }
}
