/// What the log says of an account's renewals.
extension Renewals {
  /// How an account's last renewal failed if time alone does not help: a wrong setting, or a saved
  /// password that is not sent again.
  func refusedRenewal(of account: AccountID) throws(GatebookError) -> GatebookError? {
    guard let deferral = try ledger.reader.state(of: account)?.deferral,
      let last = try ledger.reader.last(.refreshDeferred, of: account).last?
        .facts(of: RefreshDeferred.self)?.failure,
      deferral.isHalted || last.code == .configurationInvalid
    else { return nil }
    let answer = [last.status.map { String($0) }, last.error].compactMap(\.self)
      .joined(separator: " ")
    return last.told(
      .configurationInvalid,
      "The server did not accept the last renewal\(answer.isEmpty ? "" : " (\(answer))").",
      kept: "The session is kept.",
      remedy:
        "Check the client's settings, then renew the session with `SessionBook.renewNow(_:)`, or log in "
        + "again.")
  }
}

/// What renewals brought that was not as it should be.
package struct RenewalNews: Hashable, Sendable {
  /// The scopes that the last one did not grant; `nil` where none was missing.
  package var missingScopes: [String]?
  /// Why the last ID token was not accepted, as events tell it; `nil` where there was none, or it
  /// was.
  package var refusedIDToken: String?
  /// Whether the server has refused the refresh token of a session that is still used.
  package var isEnded = false
}
