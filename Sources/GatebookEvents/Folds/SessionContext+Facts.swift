extension SessionContext {
  /// The context of an account as somebody sees it who can look up personal facts.
  ///
  /// - Parameters:
  ///   - id: The account.
  ///   - state: Its state.
  ///   - isCurrent: Whether it is the book's current account.
  ///   - now: Expiries and offline limits count as of this time; `nil`: only the log counts.
  ///   - personal: Looks up the personal facts of the event at a position.
  /// - Throws: What `personal` throws.
  package init(
    _ id: AccountID, _ state: AccountState, isCurrent: Bool, at now: Moment?,
    personal: (Position) throws(GatebookError) -> Personal<Facts>
  ) throws(GatebookError) {
    let person = try personal(state.person)
    // Often one event tells several of them.
    func facts(at position: Position) throws(GatebookError) -> Personal<Facts> {
      try position == state.person ? person : personal(position)
    }
    let label: Personal<String>? =
      if let position = state.label {
        try facts(at: position).map { $0["label"]?.text ?? "" }
      } else { nil }
    let attributes: Personal<UserAttributes> =
      if let position = state.attributes {
        try facts(at: position).map { UserAttributes($0["attributes"]?.object ?? [:]) }
      } else { .known(UserAttributes()) }
    let context = SessionContext(
      id, state, isCurrent: isCurrent, label: label,
      loginName: person.map { $0["user"]?.text ?? "" }, attributes: attributes)
    guard let now else {
      self = context
      return
    }
    if let end = state.unrecordedEnd(at: now) {
      self = context.ended(end)
    } else {
      self = state.isPastOfflineLimit(at: now) ? context.pastOfflineLimit() : context
    }
  }
}
