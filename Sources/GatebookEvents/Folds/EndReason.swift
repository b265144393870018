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
  /// In OpenID Connect only `iss` and `sub` together name a user: a refreshed ID token with another
  /// `iss` ends the session (OpenID Connect Core 1.0 section 12.2).
  case identityMismatch
  /// The user logged out.
  case user
  /// A policy of the app logged the account out.
  case policy
  /// The account was erased.
  case erased
  /// A new login of the same account replaced it.
  case replaced

  /// What ``refusedAfterUnknownOutcome`` means where no server has said anything.
  package static let unknownOutcome =
    "the answer to its renewal was lost, and nothing else can renew it"

  /// What the reason means, as the second half of "The session ended: ...".
  package var meaning: String {
    switch self {
    case .expired: "it expired, and nothing had renewed it"
    case .refused: "the server refused it"
    case .refusedWithoutReason: "the server refused it and gave no reason"
    case .refusedAfterUnknownOutcome:
      "the server rejected the refresh token after a renewal whose answer was lost. That renewal may "
        + "have used up the token, or the server revoked it meanwhile"
    case .offlineTooLong: "the server did not confirm it for longer than its login allowed"
    case .revokedByServer: "the server revoked it"
    case .secretMissing: "its secret was missing from the book"
    case .identityMismatch:
      "the server answered for a different user, or named another issuer"
    case .user: "the user logged out"
    case .policy: "a policy of the app logged it out"
    case .erased: "the account was erased"
    case .replaced: "a new login of the same account replaced it"
    }
  }
}

/// When a session ended, and why.
package struct SessionEnd: Hashable, Sendable {
  /// Why.
  package var reason: EndReason
  /// When.
  package var at: Timestamp
}

extension SessionEnd: FactsRecord {
  package static let blank = SessionEnd(reason: .refused, at: .epoch)

  package mutating func code(with row: inout some FactsCoder) {
    row.code("at", &at)
    row.code("reason", &reason)
  }
}
