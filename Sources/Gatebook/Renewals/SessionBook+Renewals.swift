/// What the log tells of renewals to whoever began them.
extension SessionBook {
  /// What renewals brought that was not as it should be.
  package struct Renewals: Hashable, Sendable {
    /// The scopes that the last one did not grant; `nil` where none was missing.
    package var missingScopes: [String]?
    /// Why the last ID token was not accepted, as events tell it; `nil` where there was none, or it was.
    package var refusedIDToken: String?
    /// Whether the server has refused the refresh token of a session that is still used.
    package var isEnded = false
  }

  /// The last event of an account.
  package func lastPosition(of account: AccountID) throws(GatebookError) -> Position {
    try reader.state(of: account)?.position ?? .start
  }

  /// How an account's last renewal failed where more than time is needed: a wrong setting, or a kept password
  /// that is not sent again.
  ///
  /// - Parameter account: The account.
  /// - Returns: The failure, with what the server answered; `nil` for another failure, and for none.
  /// - Throws: Storage failures.
  package func refusedRenewal(of account: AccountID) throws(GatebookError) -> GatebookError? {
    guard let deferral = try reader.state(of: account)?.deferral,
      let last = try last(.refreshDeferred, of: account)?.facts(of: RefreshDeferred.self)?.failure,
      deferral.isHalted || last.code == .configurationInvalid
    else { return nil }
    let answer = [last.status.map { String($0) }, last.error].compactMap(\.self)
      .joined(separator: " ")
    return GatebookError(
      .configurationInvalid,
      "The server did not accept the last renewal\(answer.isEmpty ? "" : " (\(answer))").",
      kept: "The session is kept.",
      remedy:
        "Check the client's settings, then renew the session with `SessionBook.renewNow(_:)`, or log in "
        + "again.",
      status: last.status.map { Int($0) }, serverCode: last.error)
  }

  private func last(
    _ kind: EventKind, of account: AccountID
  ) throws(GatebookError) -> RecordedEvent? {
    var filter = EventFilter()
    filter.account = account
    filter.kind = kind.rawValue
    filter.limit = 1
    return try reader.events(filter).last
  }

  /// What an account's renewals brought since an event.
  package func renewals(
    of account: AccountID, since start: Position
  ) throws(GatebookError) -> Renewals {
    var renewals = Renewals()
    if let end = try reader.state(of: account)?.renewalEnd, end.position > start {
      renewals.isEnded = try context(of: account).state.isUsable
    }
    guard let last = try events(.refreshSucceeded, of: account, since: start).last,
      let grant = last.facts(of: RefreshSucceeded.self)?.grant
    else { return renewals }
    if grant.missing != nil { renewals.missingScopes = try missingScopes(of: account) }
    // One with a new key is judged when its keys are there.
    let checked = try events(.sessionVerified, of: account, since: last.position)
      .compactMap { $0.facts(of: SessionVerified.self)?.idToken }
    renewals.refusedIDToken = checked.last ?? grant.idToken
    return renewals
  }
}
