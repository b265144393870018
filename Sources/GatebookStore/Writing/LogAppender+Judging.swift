internal import GatebookEvents

extension LogAppender {
  static var stale: GatebookError {
    GatebookError(
      .preconditionFailed, "Another process changed the account first.",
      remedy: "Read the account's current state, then decide again.")
  }

  func judge(_ precondition: Precondition) throws(GatebookError) {
    switch precondition {
    case .none: return
    case .revision(let account, let expected):
      guard try revision(of: account) == expected else { throw try late(account) }
    case .generation(let account, let session, let generation):
      // A session that has ended is nobody's: an answer that comes after the logout is late.
      guard let state = try projections.state(of: account), state.session == session,
        state.generation == generation, state.state.isUsable
      else { throw try late(account) }
    }
  }

  /// The error for a late append: another turn may help, but not for an erased account.
  private func late(_ account: AccountID?) throws(GatebookError) -> GatebookError {
    guard let account, try dictionaries.account(account) != nil,
      try stream(of: account).isErased
    else { return Self.stale }
    return .erased(account)
  }

  /// The revision of a stream's last event; 0 for an account that the book does not know.
  private func revision(of account: AccountID?) throws(GatebookError) -> Int64 {
    if let account, try dictionaries.account(account) == nil { return 0 }
    return try stream(of: account).revision
  }

  /// Appending a known id again returns the first receipt; with other content it is an error.
  func receiptOfRepetition(_ append: Append) throws(GatebookError) -> Receipt? {
    var known: (id: EventID, first: Position)?
    var ids: Set<EventID> = []
    for (index, event) in append.events.enumerated() {
      guard let id = event.id else { continue }
      guard ids.insert(id).inserted else { throw Self.reused(id) }
      if known == nil, let found = try position(of: id) {
        known = (id, Position(rawValue: found - Int64(index)))
      }
    }
    guard let (id, first) = known else { return nil }
    for (index, event) in append.events.enumerated() {
      let position = Position(rawValue: first.rawValue + Int64(index))
      guard try isRecorded(event, at: position, first: first) else { throw Self.reused(id) }
    }
    return Receipt(first: first, count: append.events.count, isRepetition: true)
  }

  private func position(of id: EventID) throws(GatebookError) -> Int64? {
    try connection.first("SELECT position FROM event WHERE id = ?1", id) { $0.integer(0) }
  }

  private static func reused(_ id: EventID) -> GatebookError {
    GatebookError(
      .storageIDReused, "The event id \(id) already belongs to another event.",
      remedy: "Use a new id for a new event.")
  }

  private func isRecorded(
    _ event: ProposedEvent, at position: Position, first: Position
  ) throws(GatebookError) -> Bool {
    let rows = try connection.rows(
      """
      SELECT e.id, a.id, s.id, k.name, e.version, e.cause, e.data, e.sealed
      FROM event e JOIN kind k ON k.number = e.kind LEFT JOIN account a ON a.number = e.account
        LEFT JOIN session s ON s.number = e.session
      WHERE e.position = ?1
      """, position)
    guard let row = try rows.next(), let id = EventID(bytes: row.raw(0)) else { return false }
    let isSame =
      (event.id == nil || event.id == id)
      && AccountID(bytes: row.raw(1)) == event.account
      && SessionID(bytes: row.raw(2)) == event.session
      && row.text(3) == event.kind.rawValue
      && row.integer(4) == Int64(event.kind.version)
      && row.optionalInteger(5) == Self.position(of: event.cause, first: first)
      && row.bytes(6) == event.data.encoded
    guard isSame else { return false }
    guard let account = event.account, !row.isNull(7) else {
      return row.isNull(7) && (event.personal?.isEmpty ?? true || event.account == nil)
    }
    let sealed = row.bytes(7)
    try provideKey(of: account)
    let content = sealer.open(
      sealed, of: account,
      .event(id, kind: event.kind.rawValue, version: Int64(event.kind.version)))
    return content == event.personal?.encoded
  }
}
