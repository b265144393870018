extension EventKind {
  /// What says that all was well with an account then: before it nothing is left to explain.
  package static let grounds: Set<EventKind> = [
    .loginSucceeded, .refreshSucceeded, .refreshAdopted, .sessionVerified,
  ]

  /// What tells how an account has fared since, though nothing was caused by it.
  package static let telling: Set<EventKind> = [
    .loginFailed, .loginCancelled, .challengeReceived, .challengeAnswered, .challengeCancelled,
    .challengeFailed, .checkSucceeded,
    .credentialsLoaded, .credentialsRemoved, .refreshFailed, .refreshDeferred, .refreshDiscarded,
    .refreshAdopted, .sessionRestored, .sessionUnverified, .sessionUncertain, .clockObserved,
    .logoutCompleted, .revocationSucceeded, .revocationFailed, .trustDecided, .originAllowed,
    .tokenCleared, .requestRefused,
    .registrationRejected, .registrationReplaced, .discoveryChanged,
  ]
}
