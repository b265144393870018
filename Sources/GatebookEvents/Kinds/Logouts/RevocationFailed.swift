/// `revocation.failed`: the server could not be told.
package struct RevocationFailed: EventFacts {
  package static let kind = EventKind.revocationFailed

  /// Whether it is given up.
  package var isHalted: Bool = false
  /// The name under which messages to the server are kept encrypted.
  package var outbox: String?
  /// How many attempts there were.
  package var tries: Int64?
  /// How long it waits.
  package var wait = Wait()
  /// What went wrong.
  package var failure = Failure()

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("code", &failure.code)
    facts.code("demandedWait", &wait.demanded)
    facts.code("halted", &isHalted, unless: false)
    facts.code("outbox", &outbox)
    facts.code("retryAfter", &wait.retryAfter)
    facts.code("status", &failure.status)
    guard facts.hasDetails else { return }
    facts.code("error", &failure.error)
    facts.code("fault", &failure.fault)
    facts.code("tries", &tries)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let words = failure.words(of: Self.kind)
    guard !isHalted else {
      return
        "Gatebook gave up telling the server: \(words). The tokens that it granted may still be valid there."
    }
    let until: Sentence =
      wait.demanded.map { " The server asked not to be contacted before \(event.at + $0)." } ?? ""
    return "The server could not be told: \(words).\(failure.doubt)" + until
  }
}
