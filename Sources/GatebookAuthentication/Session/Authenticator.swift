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

  /// What the server has granted until now: where the machine throws, or is not asked any more,
  /// nobody will use it, and its logout takes it back; `nil` for nothing.
  var unclaimed: (any SessionProof)? { get }
}

extension Authenticator {
  /// Nothing.
  package var unclaimed: (any SessionProof)? { nil }
}

/// What a login method wants done next.
package enum Step: Sendable {
  /// Send this request, exactly once, and hand in its reply or its failure.
  case send(HTTPRequest)
  /// Show this page to the person and hand in the redirect that comes of it.
  ///
  /// Only a ``RedirectAuthenticator`` may say so: the redirect may come after a restart.
  case open(HTTPURL, awaiting: AwaitedRedirect)
  /// Show this code to the person and hand in `.proceed` as soon as it is shown: the person enters
  /// it on a page of the server while the machine asks whether that has happened.
  ///
  /// Only a ``RedirectAuthenticator`` may say so: the wait may continue after a restart.
  case show(DeviceCode)
  /// Let this time pass, then hand in `.proceed`.
  case wait(Duration)
  /// The login succeeded; the outcome is recorded in one transaction.
  case finish(Outcome)
}

/// The input of a login method between two steps.
package struct Input: Sendable {
  /// What happened.
  package enum Happening: Sendable {
    /// The login begins.
    case start
    /// The answer to the last `.send`.
    case reply(HTTPReply)
    /// The last `.send` brought no answer.
    case failure(TransportFailure)
    /// The redirect that the last `.open` awaited, checked to be this login's.
    case redirect(FormFields)
    /// What the last `.show` asked for is shown, or the time of the last `.wait` has passed.
    case proceed
  }

  /// What happened.
  package var happening: Happening
  /// When.
  package var moment: Moment
  /// 64 fresh random bytes, never used twice.
  package var random: [UInt8]
  /// Names under which anybody may register a domain; `nil` when no list is at hand.
  package var suffixes: (any PublicSuffixes)?

  /// Makes an input.
  package init(
    _ happening: Happening, at moment: Moment, random: [UInt8],
    suffixes: (any PublicSuffixes)? = nil
  ) {
    self.happening = happening
    self.moment = moment
    self.random = random
    self.suffixes = suffixes
  }

  /// The same moment, for a machine that begins.
  var starting: Input { Input(.start, at: moment, random: random, suffixes: suffixes) }
}
