internal import GatebookEvents

extension LogAppender {
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
    else { return .changedMeanwhile }
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
    let recorded = try connection.first(
      "\(BookReader.columns()) WHERE e.position = ?1", position
    ) { (row) throws(GatebookError) in try BookReader.event(row, sealer) }
    guard let recorded, (event.id ?? recorded.id) == recorded.id,
      event.account == recorded.account, event.session == recorded.session,
      event.kind.rawValue == recorded.kind, event.kind.version == recorded.version,
      event.data == recorded.data,
      Self.position(of: event.cause, first: first) == recorded.cause?.rawValue
    else { return false }
    // The book's own stream has no key: personal facts are dropped there.
    guard let account = event.account else { return true }
    if recorded.personal == .forgotten { throw .erased(account) }
    if recorded.personal != nil { try provideKey(of: account) }
    return event.personal ?? [:] == recorded.personal?.value ?? [:]
  }
}
