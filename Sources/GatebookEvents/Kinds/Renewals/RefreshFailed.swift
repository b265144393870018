/// `refresh.failed`: the server refused the renewal.
package struct RefreshFailed: EventFacts {
  package static let kind = EventKind.refreshFailed

  /// Which use of a credential for one use was answered so, from 2.
  package var attempt: Int64?
  /// The fingerprint of that credential, if it is saved too.
  package var fingerprint: String?
  /// The generation that it was to bring.
  package var generation: Int64
  /// Whether the server refused the saved credentials.
  package var isHalted: Bool = false
  /// The name of the reason; a newer version may know more of them.
  private var reasonName: String?
  /// Why the session can no longer be renewed; it needs a login when its access token expires.
  package var reason: EndReason? {
    get { reasonName.flatMap(EndReason.init) }
    set { reasonName = newValue?.rawValue }
  }
  /// Whether it says why, also in words of a newer version.
  package var hasReason: Bool { reasonName != nil }
  /// What went wrong.
  package var failure = Failure()

  package init(generation: Int64) {
    self.generation = generation
  }

  package static var blank: Self { Self(generation: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("fingerprint", &fingerprint)
    facts.code("generation", &generation)
    facts.code("halted", &isHalted, unless: false)
    facts.code("reason", &reasonName)
    guard facts.hasDetails else { return }
    failure.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "Renewal failed: \(words)."
  }

  /// What went wrong, and what the server said.
  package var words: String {
    failure.words(of: Self.kind, isAfterLostAnswer: reason == .refusedAfterUnknownOutcome)
  }
}
