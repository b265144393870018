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

  /// Takes those that are due after an event.
  ///
  /// - Parameters:
  ///   - entry: The event.
  ///   - number: The number of its account in the tables.
  ///   - fold: The fold after it.
  ///   - isWhole: Whether the fold has seen the whole log: only then it knows the roster.
  ///   - body: Takes them.
  /// - Throws: What the body throws.
  static func take<Failure: Error>(
    after entry: LogEntry, number: Int64, in fold: BookFold, isWhole: Bool = true,
    _ body: (Snapshot) throws(Failure) -> Void
  ) throws(Failure) {
    let position = entry.position.rawValue
    if entry.revision % distance == 0,
      let state = entry.account.flatMap({ fold.packedState(of: $0) })
    {
      try body(Snapshot(account: number, position: position, state: state))
    }
    guard isWhole, entry.kind == .accountSwitched else { return }
    try body(Snapshot(account: 0, position: position, state: fold.roster.packed))
  }
}
