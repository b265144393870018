/// When a session ended, and why.
package struct SessionEnd: Hashable, Sendable {
  /// Why.
  package var reason: EndReason
  /// When.
  package var at: Timestamp
}

extension SessionEnd: FactsRecord {
  package static let blank = SessionEnd(reason: .refused, at: .epoch)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("at", &at)
    var known: EndReason? = reason
    row.code("reason", &known)
    guard let known else { return row.refuse() }
    reason = known
  }
}
