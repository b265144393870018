extension EndReason {
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
