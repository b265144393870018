/// What a report draws of an event, and counts by day.
package enum ReportMark: Int, CaseIterable, Sendable {
  case login
  case refresh
  case challenge
  case failure

  /// The mark of a kind; `nil` for one that has only its row.
  package init?(_ kind: String) {
    // A kind that only a newer version knows says by its name that it is a failure.
    let known = EventKind(rawValue: kind)
    guard let mark = known.map(\.traits.mark) ?? (kind.hasSuffix(".failed") ? .failure : nil) else {
      return nil
    }
    self = mark
  }
}
