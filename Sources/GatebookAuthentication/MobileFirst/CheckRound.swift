/// What one answer of the server says about security checks, in the order in which it is told:
/// successes, then failures or challenges.
package struct CheckRound: Sendable {
  /// Checks that have succeeded, by name.
  package var successes: [SecurityCheckSuccess] = []
  /// Checks that want an answer, by name.
  package var challenges: [SecurityCheckChallenge] = []
  /// Checks that refuse, by name.
  package var failures: [SecurityCheckFailure] = []
}
