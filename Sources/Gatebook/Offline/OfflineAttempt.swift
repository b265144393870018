/// One password that is checked without the network: counted before it is looked at.
struct OfflineAttempt {
  /// Which one it is since the last right one, from 1.
  let round: Int64
  /// The event that counts it.
  let position: Position
  let verifier: OfflineVerifier

  /// How many wrong passwords there may be in a row.
  ///
  /// After that only a login at the server helps, which has its own limits: a waiting time would
  /// trust a wall clock that an attacker may set.
  static let maximum: Int64 = 5

  /// How many more there may be after this one.
  var remaining: Int64 { max(0, Self.maximum - round) }

  /// The challenge that a try is in the log.
  static func challenge(round: Int64) -> AskedChallenge {
    var challenge = AskedChallenge(scheme: "password", round: round)
    challenge.source = "offline"
    return challenge
  }

  /// What the log says of a wrong one.
  var failed: ChallengeFailed {
    var failed = ChallengeFailed(Self.challenge(round: round))
    failed.failure.code = .credentialsRefused
    failed.end.remaining = remaining
    return failed
  }
}

extension OfflineAttempt {
  /// What the caller hears of a wrong one.
  var refusal: GatebookError {
    GatebookError(
      .credentialsRefused,
      remaining == 0
        ? "The password is wrong. No more passwords are checked offline."
        : "The password is wrong. \(remaining) more can be tried offline.",
      kept: "The session is kept.",
      remedy: remaining == 0
        ? Self.usedUp.remedy
        : "Use the password of the last login at the server. If the password was changed since, log in "
          + "at the server first.")
  }

  static let usedUp = GatebookError(
    .challengeBlocked,
    "\(maximum) passwords in a row were wrong, so no more are checked offline.",
    kept: "The session is kept.",
    remedy: "Log in with the password at the server; then it can be checked offline again.")

  static let nothingToCheckBy = GatebookError(
    .loginUnprovable, "The account has no saved data to check a password offline.",
    kept: "The session is kept.",
    remedy:
      "Log in with the password and `LoginOptions.saveCredentials`; then it can be checked offline."
  )

  static let noMemory = GatebookError(
    .limitExceeded, "There is not enough memory to check the password.",
    kept: "The session is kept. The attempt counts.", remedy: "Free memory, then try again.")

  /// A try that cannot be counted is none: otherwise a full disk would give as many as one likes.
  static func uncounted(_ error: GatebookError) -> GatebookError {
    GatebookError(
      error.code, "The password was not checked, because the attempt could not be recorded.",
      kept: "The session is kept.", remedy: error.remedy, cause: error.message)
  }
}
