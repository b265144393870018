/// `refresh.deferred`: the renewal failed for a reason that may pass.
package struct RefreshDeferred: EventFacts {
  package static let kind = EventKind.refreshDeferred

  /// Which use of a credential for one use was answered so, from 2: it is not sent again unless a
  /// person insists.
  package var attempt: Int64?
  /// Whether the server named the time.
  package var isDemanded: Bool = false
  /// The time that the server named.
  package var demandedWait: Duration?
  /// The generation that it was to bring.
  package var generation: Int64
  /// Whether a saved password is not sent again unless a person asks.
  package var isHalted: Bool = false
  /// Whether the same use has tried again, and is one failure with the one before.
  package var isRepeated: Bool = false
  /// How long no renewal is sent unless a person asks for it.
  package var retryAfter: Duration?
  /// What went wrong.
  package var failure = Failure()

  package init(generation: Int64) {
    self.generation = generation
  }

  package static var blank: Self { Self(generation: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("demanded", &isDemanded, unless: false)
    facts.code("demandedWait", &demandedWait)
    facts.code("generation", &generation)
    facts.code("halted", &isHalted, unless: false)
    facts.code("repeated", &isRepeated, unless: false)
    facts.code("retryAfter", &retryAfter)
    guard facts.hasDetails else { return }
    failure.code(with: &facts)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "Renewal failed: \(failure.words(of: Self.kind))." + outlook(event)
  }

  /// What a server demands beyond that is not heeded.
  private static let longestDemand = Duration.seconds(86_400)

  private func outlook(_ event: RecordedEvent) -> Sentence {
    if isHalted || attempt != nil { return " Gatebook does not try again automatically." }
    guard let wait = retryAfter else { return "" }
    let until = event.at + wait
    guard isDemanded else {
      return
        " Gatebook tries again after \(until), or earlier if a request needs it. A saved password is not "
        + "sent earlier."
    }
    if wait >= Self.longestDemand {
      return
        " The server asked not to be contacted for a day or longer. Gatebook tries again after \(until)."
    }
    guard let demandedWait else { return " The server asked not to be contacted before \(until)." }
    return
      " The server asked not to be contacted before \(event.at + demandedWait). Gatebook tries again "
      + "after \(until)."
  }
}
