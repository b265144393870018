/// What is taken back while a login is under way.
extension Logins {
  /// A login's success without what the account took back since it was permitted.
  ///
  /// What was permitted is as old as the login's beginning, and a login may wait minutes for the
  /// person, also over a restart: who has since revoked a key, or removed what was saved, has the
  /// last word.
  func droppingRevokedPermissions(
    _ success: LoginSuccess, of account: AccountID
  ) throws(GatebookError) -> LoginSuccess {
    let position = success.attempt.permitted
    var success = success
    success.options = try droppingRevokedPermissions(success.options, since: position, account)
    let revoked = try revokedKeys(
      of: account, among: Set(success.accepted.map(\.key)), since: position)
    success.accepted.removeAll { revoked.contains($0.key) }
    if success.given.contains(where: \.isPermanent),
      try !removedPurposes(of: account, since: position).isEmpty
    {
      success.given.removeAll(where: \.isPermanent)
    }
    return success
  }

  /// A login's options without what the account took back after a position.
  func droppingRevokedPermissions(
    _ options: LoginOptions, since position: Position, _ account: AccountID
  ) throws(GatebookError) -> LoginOptions {
    var options = options
    if options.saveCredentials,
      try removedPurposes(of: account, since: position).contains("login")
    {
      options.saveCredentials = false
    }
    options.trust = options.trust.without(
      try revokedKeys(of: account, among: options.trust.keys, since: position))
    return options
  }

  private func removedPurposes(
    of account: AccountID, since position: Position
  ) throws(GatebookError) -> Set<String> {
    Set(
      try ledger.events(.credentialsRemoved, of: account, since: position)
        .compactMap { $0.facts(of: CredentialsRemoved.self)?.storage.purpose })
  }

  /// The keys whose last decision in that time was to revoke them.
  private func revokedKeys(
    of account: AccountID, among keys: Set<KeyHash>, since position: Position
  ) throws(GatebookError) -> Set<KeyHash> {
    guard !keys.isEmpty else { return [] }
    let names = Dictionary(keys.map { ($0.description, $0) }) { first, _ in first }
    var revoked: Set<KeyHash> = []
    let decisions = try ledger.events(.trustDecided, of: account, since: position)
      .compactMap { $0.facts(of: TrustDecided.self) }
    for decision in decisions {
      let told = [decision.key].compactMap(\.self) + (decision.pins ?? [])
      for key in told.compactMap({ names[$0] }) {
        switch decision.verdict {
        case "revoked": revoked.insert(key)
        case "accepted", "pinned": revoked.remove(key)
        // A certificate that was refused gives nothing back.
        default: break
        }
      }
    }
    return revoked
  }
}
