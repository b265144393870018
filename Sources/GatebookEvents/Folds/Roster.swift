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

  /// The roster as canonical JSON: what a projection's row holds.
  package var encoded: [UInt8] { RowWriter.encode(self) }

  /// Reads what `encoded` wrote; `nil` for anything else.
  package init?(decoding bytes: UnsafeRawBufferPointer) {
    guard let roster: Roster = RowReader.decode(bytes) else { return nil }
    self = roster
  }

  /// The roster as a snapshot of the past holds it.
  package var packed: [UInt8] { PackedRowWriter.encode(self) }

  /// Reads what `packed` wrote; `nil` for anything else.
  package init?(packed bytes: UnsafeRawBufferPointer) {
    guard let roster: Roster = PackedRowReader.decode(bytes) else { return nil }
    self = roster
  }
}

extension Roster: FactsRecord {
  package static let blank = Roster()

  package mutating func code(with row: inout some FactsCoder) {
    row.code("current", &current)
  }
}
