/// Why a session is no longer usable: a closed list.
public enum EndReason: String, Sendable, CaseIterable {
  /// It expired, and nothing could renew it.
  case expired
  /// The server refused it.
  case refused
  /// The server refused it without a reason.
  case refusedWithoutReason
  /// The server refused it after a renewal whose answer was lost.
  case refusedAfterUnknownOutcome
  /// The server did not confirm it for longer than its login allows.
  case offlineTooLong
  /// The server revoked it.
  case revokedByServer
  /// Its secret is missing from a readable book.
  case secretMissing
  /// The server answered for a different user, or named another issuer.
  ///
  /// In OpenID Connect only `iss` and `sub` together name a user: a refreshed ID token with another `iss`
  /// ends the session (OpenID Connect Core 1.0 section 12.2).
  case identityMismatch
  /// The user logged out.
  case user
  /// A policy of the app logged the account out.
  case policy
  /// The account was erased.
  case erased
  /// A new login of the same account replaced it.
  case replaced
}
