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
    reason = state.state.reason
    ended = state.state.reason == nil ? nil : state.since
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

  /// The record as canonical facts: what a projection's row holds.
  package var record: Facts {
    [
      "account": .text(account.description),
      "ended": .optional(ended?.rawValue),
      "generation": .integer(generation),
      "method": .text(method),
      "position": .integer(position.rawValue),
      "reason": .optional(reason?.rawValue),
      "started": .integer(started.rawValue),
      "state": .text(state),
    ]
  }

  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record facts: Facts) {
    guard let account = facts["account"]?.text.flatMap({ AccountID($0) }),
      let method = facts["method"]?.text, let started = facts.timestamp("started"),
      let state = facts["state"]?.text, let generation = facts["generation"]?.integer,
      let position = facts.position("position")
    else { return nil }
    self.account = account
    self.method = method
    self.started = started
    self.state = state
    self.generation = generation
    self.position = position
    ended = facts.timestamp("ended")
    reason = facts["reason"]?.text.flatMap(EndReason.init)
  }
}
