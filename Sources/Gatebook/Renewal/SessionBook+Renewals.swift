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
