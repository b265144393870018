/// Why a session is not usable any more: a closed list.
public enum EndReason: String, Sendable, CaseIterable {
  /// Its known life is over and there is no way to renew it.
  case expired
  /// The server refused it.
  case refused
  /// The server refused it without a word.
  case refusedWithoutReason
  /// The server refused it after a renewal whose answer was lost.
  case refusedAfterUnknownOutcome
  /// It was offline for longer than the policy allows.
  case offlineTooLong
  /// The server revoked it.
  case revokedByServer
  /// What authorised it is gone from a readable vault.
  case secretMissing
  /// The server answered for another user, or in the name of another issuer.
  ///
  /// In OpenID Connect only `iss` and `sub` together name a user: a refreshed ID token with another `iss`
  /// ends the session (OpenID Connect Core 1.0 section 12.2).
  case identityMismatch
  /// The user logged out.
  case user
  /// A policy of the app logged out.
  case policy
  /// The account was erased.
  case erased
  /// A new login of the same account took its place.
  case replaced
}
