/// What the log tells of renewals to whoever began them.
extension SessionBook {
  /// What renewals brought that was not as it should be.
  package struct Renewals: Hashable, Sendable {
    /// The scopes that the last one did not grant; `nil` where none was missing.
    package var missingScopes: [String]?
    /// Why the last ID token was not accepted, as events tell it; `nil` where there was none, or it was.
    package var refusedIDToken: String?
  }

  /// The last event of an account.
  package func lastPosition(of account: AccountID) throws(GatebookError) -> Position {
    try reader.state(of: account)?.position ?? .start
  }

  /// How an account's renewal failed that is not tried again by itself.
  ///
  /// - Parameter account: The account.
  /// - Returns: The failure, with what the server answered; `nil` where renewals go on.
  /// - Throws: Storage failures.
  package func haltedRenewal(of account: AccountID) throws(GatebookError) -> GatebookError? {
    guard try reader.state(of: account)?.deferral?.isHalted == true,
      let last = try last(.refreshDeferred, of: account), last.data["halted"] != nil
    else { return nil }
    let (status, code) = (last.data["status"]?.integer, last.data["error"]?.text)
    let answer = [status.map { String($0) }, code].compactMap(\.self).joined(separator: " ")
    return GatebookError(
      .configurationInvalid,
      "the server did not take what renews it\(answer.isEmpty ? "" : " (\(answer))").",
      kept: "The session is kept.", remedy: Self.renewalsHalted.remedy,
      status: status.map { Int($0) }, serverCode: code)
  }

  /// How a login with what was saved failed that is not tried again by itself.
  ///
  /// - Parameter account: The account.
  /// - Returns: Why; `nil` where nothing was saved, or it may still be used.
  /// - Throws: Storage failures.
  package func haltedLogin(of account: AccountID) throws(GatebookError) -> FailureCode? {
    guard let state = try reader.state(of: account), state.savedCredentials,
      let use = state.savedUse, use.isHalted, let event = try reader.event(at: use.position)
    else { return nil }
    return event.data["code"]?.text.map { FailureCode(rawValue: $0) } ?? .credentialsRefused
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
    guard let last = try events(.refreshSucceeded, of: account, since: start).last else {
      return renewals
    }
    if last.data["missing"] != nil { renewals.missingScopes = try missingScopes(of: account) }
    // One with a new key is judged when its keys are there.
    let checked = try events(.sessionVerified, of: account, since: last.position)
    renewals.refusedIDToken = ([last] + checked).compactMap { $0.data["idToken"]?.text }.last
    return renewals
  }
}
