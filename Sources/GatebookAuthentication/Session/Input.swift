package import GatebookEvents

/// What a login method is told between two steps.
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
}
