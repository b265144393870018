/// A login with what is good for one use that the server has answered, for as long as the book has
/// not taken what it granted.
///
/// It is kept until it can be written (rule 5), and is no session before (rule 7).
struct UnsavedLogin {
  let ending: AuthenticatorRun.Ending
  let attempt: LoginAttempt
  let options: LoginOptions
  /// What was sent: it is used up.
  let sent: any SessionProof
  /// Whether nobody has logged the account out since.
  var isWanted = true
  /// Keeps other processes from sending what is used up.
  let lock: AccountLock

  /// What the server granted.
  var outcome: Outcome? {
    guard case .success(.finished(let outcome)) = ending.result else { return nil }
    return outcome
  }
}
