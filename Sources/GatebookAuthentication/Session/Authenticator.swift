package import GatebookEvents

/// A login method as a pure state machine: no I/O, no clock, no randomness of its own.
///
/// The caller starts it with `.start`, does what each step says and hands in what came of it,
/// until `.finish` or an error. A machine that threw is not used again. Redirects and cookies are
/// the machine's own affair: a transport knows neither.
package protocol Authenticator: Sendable {
  /// Takes one input and says what to do next.
  ///
  /// - Parameter input: What happened, when, and fresh random bytes.
  /// - Returns: What to do next.
  /// - Throws: The login failed; the error's code is the one that is recorded.
  mutating func next(_ input: Input) throws(GatebookError) -> Step

  /// What the server has granted until now: where the machine throws, or is not asked any more, nobody
  /// will use it, and its logout takes it back; `nil` for nothing.
  var unclaimed: (any SessionProof)? { get }
}

extension Authenticator {
  /// Nothing.
  package var unclaimed: (any SessionProof)? { nil }
}
