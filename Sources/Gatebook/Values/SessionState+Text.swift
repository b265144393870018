extension SessionState {
  /// The state in words.
  package var text: String {
    switch self {
    case .active: "active"
    case .offline: "offline"
    case .challenged: "challenged"
    case .uncertain: "uncertain"
    case .needsLogin(let reason): "needs login (\(reason.text))"
    case .ended(let reason): "ended (\(reason.text))"
    }
  }
}

extension EndReason {
  /// The reason in words.
  package var text: String {
    switch self {
    case .expired: "expired"
    case .refused: "refused by the server"
    case .refusedWithoutReason: "refused without a reason"
    case .refusedAfterUnknownOutcome: "refused after a renewal without an answer"
    case .offlineTooLong: "offline too long"
    case .revokedByServer: "revoked by the server"
    case .secretMissing: "its secret is missing"
    case .identityMismatch: "another user answered"
    case .user: "logged out"
    case .policy: "by policy"
    case .erased: "erased"
    case .replaced: "replaced by a new login"
    }
  }
}
