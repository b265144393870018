/// Which account is the current one: what is said without naming an account goes to it.
package struct Roster: Hashable, Sendable {
  package var current: AccountID?

  package init() {}

  /// Takes an `account.switched`; any other event changes nothing.
  ///
  /// - Returns: Whether it changed anything.
  package mutating func apply(_ entry: LogEntry) -> Bool {
    guard entry.kind == .accountSwitched else { return false }
    current = entry.data.text("to").flatMap { AccountID($0) }
    return true
  }

  /// The roster as canonical facts.
  package var record: Facts { ["current": .optional(current?.description)] }

  /// Reads what `record` wrote.
  package init(record facts: Facts) {
    current = facts["current"]?.text.flatMap { AccountID($0) }
  }
}
