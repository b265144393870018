/// Which challenge an event is about.
package struct AskedChallenge: Hashable, Sendable {
  /// The security check, or `step-up`.
  package var check: String?
  /// The flow that the check belongs to.
  package var flow: FlowID?
  /// Whether a proxy asks.
  package var isOfProxy = false
  /// Which question of the login or the request it is, from 1.
  package var round: Int64?
  /// The scheme, or what the challenge is: see "Facts of challenges" in "Event format".
  package var scheme: String
  /// `offline`: a password that is checked without the server.
  package var source: String?

  package init(scheme: String, round: Int64? = nil) {
    self.scheme = scheme
    self.round = round
  }
}
