/// A challenge while its pieces come in.
struct ChallengeDraft {
  private(set) var challenge: AuthenticationChallenge
  /// Whether parameters may follow: not behind a token68, nor behind a scheme without a blank.
  private let takesParameters: Bool
  var isFaulty = false

  init(_ challenge: AuthenticationChallenge, takesParameters: Bool, isFaulty: Bool = false) {
    self.challenge = challenge
    self.takesParameters = takesParameters
    self.isFaulty = isFaulty
  }

  /// Adds a parameter: "parameter names are matched case-insensitively and each MUST only occur
  /// once per challenge" (RFC 9110 section 11.2).
  mutating func add(_ parameter: AuthenticationChallenge.Parameter) {
    if !takesParameters || challenge[parameter.name] != nil { isFaulty = true }
    challenge.parameters.append(parameter)
  }
}
