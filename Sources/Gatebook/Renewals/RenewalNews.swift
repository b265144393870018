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
