/// `session.unverified`: the server was asked whether the session is valid, and no answer decides
/// it.
package struct SessionUnverified: EventFacts {
  package static let kind = EventKind.sessionUnverified

  /// For how long the server wants to be left alone.
  package var demandedWait: Duration?
  /// What went wrong.
  package var failure = Failure()

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("demandedWait", &demandedWait)
    guard facts.hasDetails else { return }
    failure.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let until: Sentence =
      demandedWait.map { " The server asked not to be contacted before \(event.at + $0)." } ?? ""
    return
      "\(event.author) asked the server whether the session is valid, but got no usable answer: "
      + "\(failure.words(of: Self.kind)).\(failure.doubt)" + until
  }
}
