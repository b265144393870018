/// `session.restored`: the session was resumed without network.
package struct SessionRestored: EventFacts {
  package static let kind = EventKind.sessionRestored

  /// The boot clock.
  package var boot: Duration?
  /// Which start of the machine that clock counts from.
  package var bootID: BootID?
  /// The position of the last event at which the server confirmed the session; or `password` if the
  /// account's password was asked for and right.
  package var evidence: FactValue?
  /// That position, if the password was asked for.
  package var verified: Position?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("boot", &boot)
    facts.code("bootID", &bootID)
    facts.code("evidence", &evidence)
    guard facts.hasDetails else { return }
    facts.code("verified", &verified)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    evidence == "password"
      ? "\(event.author) resumed the session without the network, after checking the password."
      : "\(event.author) resumed the session from the log, without the network."
  }
}
