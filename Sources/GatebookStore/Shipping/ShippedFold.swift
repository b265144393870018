package import GatebookEvents

/// Computes the states of accounts and sessions from events that left a book, as the book does.
package struct ShippedFold: Sendable {
  /// The version of the folds: another one may compute other states.
  package static let version = BookFold.version
  /// The parts of the rows that it computes.
  package static let parts: Set = [
    BaselineState.account, BaselineState.session, BaselineState.roster,
  ]

  private var fold = BookFold()

  /// Begins before the first event of a book.
  package init() {}

  /// Continues from the state after an event; `nil` for a row that cannot be read.
  ///
  /// - Parameter rows: All rows of the parts in ``parts``, in any order.
  package init?(_ rows: [ShippedRow]) {
    for row in rows where row.part == BaselineState.account {
      guard let id = AccountID(bytes: row.name), let state: AccountState = Self.read(row) else {
        return nil
      }
      fold.put(state, of: id)
    }
    for row in rows where row.part == BaselineState.roster {
      guard let roster: Roster = Self.read(row) else { return nil }
      fold.put(roster)
    }
    for row in rows where row.part == BaselineState.session {
      guard let id = SessionID(bytes: row.name), let record: SessionRecord = Self.read(row) else {
        return nil
      }
      fold.put(record, of: id)
    }
  }

  private static func read<State: FoldedRow>(_ row: ShippedRow) -> State? {
    row.content.withUnsafeBytes { State(decoding: $0) }
  }

  /// Takes the next event.
  package mutating func apply(_ entry: LogEntry) { fold.apply(entry) }

  /// The states, as ``BookReader/presentRows()`` returns those of a book, in no order.
  package var rows: [ShippedRow] {
    BaselineState.projections(of: fold).map {
      ShippedRow(part: $0.part, name: $0.name, content: $0.state)
    }
  }
}
