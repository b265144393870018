internal import GatebookEvents

/// A projection as it was after one event: from here on its past is folded.
struct Snapshot: Hashable {
  /// An account's number; 0 for the roster.
  let account: Int64
  let position: Int64
  /// What a row of the projection would have held then, packed.
  let state: [UInt8]

  /// How many events of a stream are between two of its snapshots: at most one less is folded.
  static let distance: Int64 = 8

  /// Whether something of the past is to be kept after an event.
  static func isDue(after entry: LogEntry) -> Bool {
    entry.revision % distance == 0 || entry.kind == .accountSwitched
  }

  /// That of the account that an event belongs to; `nil` when none is due.
  static func ofAccount(after entry: LogEntry, number: Int64, in fold: BookFold) -> Snapshot? {
    guard entry.revision % distance == 0, let account = entry.account,
      let state = fold.state(of: account)
    else { return nil }
    return Snapshot(
      account: number, position: entry.position.rawValue, state: state.packed)
  }

  /// That of the roster; `nil` when none is due.
  static func ofRoster(after entry: LogEntry, in fold: BookFold) -> Snapshot? {
    guard entry.kind == .accountSwitched else { return nil }
    return Snapshot(
      account: 0, position: entry.position.rawValue, state: fold.roster.packed)
  }
}
