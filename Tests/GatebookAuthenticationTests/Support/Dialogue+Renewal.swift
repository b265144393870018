internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

extension Dialogue {
  /// An answer that did not come.
  static let lost = TransportFailure(
    GatebookError(.networkUnreachable, "Gone.", remedy: "Wait."), delivery: .maybeSent)

  /// A renewal that was begun.
  static func renewal(
    of proof: any SessionProof, at moment: Moment = moment
  ) throws -> Dialogue {
    var dialogue = Dialogue(try #require(proof.renewal(jar: CookieJar())))
    dialogue.moment = moment
    try dialogue.play([])
    return dialogue
  }
}
