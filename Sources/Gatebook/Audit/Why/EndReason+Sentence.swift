extension EndReason {
  /// What ``refusedAfterUnknownOutcome`` means where no server has said anything.
  static let unknownOutcome =
    "what became of its renewal is not known, and nothing renews it any more"

  /// What the reason means, as the second half of "The session ended: ...".
  var meaning: String {
    switch self {
    case .expired: "its life was over, and nothing had renewed it"
    case .refused: "the server refused it"
    case .refusedWithoutReason: "the server refused it and gave no reason"
    case .refusedAfterUnknownOutcome:
      "the server refused it after a renewal whose answer is not known: that may have used up what "
        + "it was renewed with, or the server revoked it meanwhile"
    case .offlineTooLong: "it went without the server's word for longer than its login allowed"
    case .revokedByServer: "the server revoked it"
    case .secretMissing: "what authorised it was no longer in the vault"
    case .identityMismatch:
      "the server answered for another user than the account's, or in another issuer's name"
    case .user: "the user logged out"
    case .policy: "a policy of the app logged it out"
    case .erased: "the account was erased"
    case .replaced: "a new login of the same account took its place"
    }
  }
}
