/// Which account is the current one: what is said without naming an account goes to it.
package struct Roster: Hashable, Sendable {
  package var current: AccountID?

  package init() {}

  /// Takes an `account.switched`; any other event changes nothing.
  ///
  /// - Returns: Whether it changed anything.
  package mutating func apply(_ entry: LogEntry) -> Bool {
    guard entry.kind == .accountSwitched else { return false }
    current = AccountSwitched(entry).to
    return true
  }
}

extension Roster: FoldedRow {
  package static let blank = Roster()

  package mutating func code(with row: inout some FactsCoder) {
    row.code("current", &current)
  }
}
