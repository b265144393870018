/// What a projection keeps of one session; the account's fold says when it changes.
package struct SessionRecord: Hashable, Sendable {
  package var account: AccountID
  package var method: String
  package var started: Timestamp
  package var ended: Timestamp?
  package var state: String
  package var reason: EndReason?
  package var generation: Int64
  package var position: Position

  /// The record of the session that an account has now; `nil` when it never had one.
  package init?(of account: AccountID, _ state: AccountState) {
    guard let started = state.started else { return nil }
    self.account = account
    self.started = started
    method = state.method
    self.state = state.state.name
    let end = state.end
    reason = end?.reason
    ended = end?.at
    generation = state.generation
    position = state.position
  }

  /// Marks a session that a new login took the place of.
  mutating func replace(at moment: Timestamp, by position: Position) {
    guard ended == nil else { return }
    ended = moment
    state = "ended"
    reason = .replaced
    self.position = position
  }
}

extension SessionRecord: FoldedRow {
  package static let blank = SessionRecord()

  private init() {
    account = AccountID(high: 0, low: 0)
    method = ""
    started = .epoch
    state = ""
    generation = 0
    position = .start
  }

  package mutating func code(with row: inout some FactsCoder) {
    row.code("account", &account)
    row.code("ended", &ended)
    row.code("generation", &generation)
    row.code("method", &method)
    row.code("position", &position)
    row.code("reason", &reason)
    row.code("started", &started)
    row.code("state", &state)
  }
}
