/// What stands between two commas of a list of challenges.
enum ChallengePiece {
  /// An empty element: "a recipient MUST parse and ignore a reasonable number of empty list
  /// elements" (RFC 9110 section 5.6.1.2).
  case nothing
  /// A new challenge, with what stands beside its scheme.
  case start(ChallengeDraft)
  /// One more parameter of the current challenge.
  case parameter(AuthenticationChallenge.Parameter)
  /// Something that spoils the current challenge.
  case fault

  /// Tells the pieces apart; blanks at the end count, as only they say that a bare scheme has a
  /// list of parameters: `Basic , realm="x"`.
  init(_ piece: ArraySlice<UInt8>) {
    let text = piece.drop(while: \.isBlank)
    let name = text.prefix(while: \.isTokenCharacter)
    let rest = text[name.endIndex...]
    if text.isEmpty {
      self = .nothing
    } else if name.isEmpty {
      self = .fault
    } else if rest.trimmed.first == .equals {
      self = AuthenticationChallenge.Parameter(text).map { .parameter($0) } ?? .fault
    } else if rest.isEmpty {
      let challenge = AuthenticationChallenge(name.lowercaseText)
      self = .start(ChallengeDraft(challenge, takesParameters: false))
    } else if rest.first?.isBlank == true {
      self = .start(Self.draft(scheme: name.lowercaseText, tail: rest.trimmed))
    } else {
      self = .fault
    }
  }

  /// A scheme and what follows it: nothing, one token68 or the first parameter.
  private static func draft(scheme: String, tail: ArraySlice<UInt8>) -> ChallengeDraft {
    if tail.isEmpty {
      return ChallengeDraft(AuthenticationChallenge(scheme), takesParameters: true)
    }
    if isToken68(tail) {
      let challenge = AuthenticationChallenge(scheme, token68: tail.text)
      return ChallengeDraft(challenge, takesParameters: false)
    }
    let first = AuthenticationChallenge.Parameter(tail)
    let challenge = AuthenticationChallenge(scheme, parameters: first.map { [$0] } ?? [])
    return ChallengeDraft(challenge, takesParameters: true, isFaulty: first == nil)
  }

  /// The grammar's `1*( ALPHA / DIGIT / "-" / "." / "_" / "~" / "+" / "/" ) *"="`.
  private static func isToken68(_ text: ArraySlice<UInt8>) -> Bool {
    let body = text.prefix { $0.isUnreserved || $0 == .slash || $0 == UInt8(ascii: "+") }
    return !body.isEmpty && text[body.endIndex...].allSatisfy { $0 == .equals }
  }
}
