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
  /// Why the session can no longer be renewed; it needs a login when its access token expires.
  package var reason: EndReason?
  /// What went wrong.
  package var failure = Failure()

  package init(generation: Int64) {
    self.generation = generation
  }
}

extension RefreshFailed {
  package static var blank: Self { Self(generation: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("code", &failure.code)
    facts.code("fingerprint", &fingerprint)
    facts.code("generation", &generation)
    facts.code("halted", &isHalted, unless: false)
    facts.code("reason", &reason)
    facts.code("status", &failure.status)
    guard facts.hasDetails else { return }
    facts.code("error", &failure.error)
    facts.code("fault", &failure.fault)
  }
}
