/// What is taken back while a login is under way.
extension SessionBook {
  /// A login's options without what the account took back since it began.
  ///
  /// They are as old as the beginning, and a login may wait minutes for the person, also over a
  /// restart: who has since revoked a key, or removed what was saved, has the last word.
  func heeding(
    _ options: LoginOptions, since attempt: LoginAttempt, _ account: AccountID
  ) throws(GatebookError) -> LoginOptions {
    var options = options
    if options.saveCredentials, try hasRemovedCredentials(of: account, since: attempt.started) {
      options.saveCredentials = false
    }
    if !options.trust.keys.isEmpty {
      options.trust = options.trust.without(
        try revokedKeys(of: account, among: options.trust.keys, since: attempt.started))
    }
    return options
  }

  private func hasRemovedCredentials(
    of account: AccountID, since position: Position
  ) throws(GatebookError) -> Bool {
    try events(.credentialsRemoved, of: account, since: position)
      .contains { $0.data["purpose"]?.text == "login" }
  }

  /// The keys whose last decision in that time was to revoke them.
  private func revokedKeys(
    of account: AccountID, among keys: Set<KeyHash>, since position: Position
  ) throws(GatebookError) -> Set<KeyHash> {
    let names = Dictionary(keys.map { ($0.description, $0) }) { first, _ in first }
    var revoked: Set<KeyHash> = []
    for event in try events(.trustDecided, of: account, since: position) {
      let told = [event.data["key"]].compactMap(\.self) + (event.data["pins"]?.list ?? [])
      for key in told.compactMap({ $0.text.flatMap { names[$0] } }) {
        if event.data["verdict"]?.text == "revoked" {
          revoked.insert(key)
        } else {
          revoked.remove(key)
        }
      }
    }
    return revoked
  }

  private func events(
    _ kind: EventKind, of account: AccountID, since position: Position
  ) throws(GatebookError) -> [RecordedEvent] {
    var filter = EventFilter()
    filter.account = account
    filter.kind = kind.rawValue
    filter.after = position
    return try reader.events(filter)
  }
}
