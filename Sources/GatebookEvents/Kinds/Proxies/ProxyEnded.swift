/// `proxy.ended`: a proxy serves no more.
package struct ProxyEnded: EventFacts {
  package static let kind = EventKind.proxyEnded

  /// What was not recorded before.
  package var use: ProxyUse

  package init(_ use: ProxyUse) {
    self.use = use
  }

  package static var blank: Self { Self(ProxyUse()) }

  package mutating func code(with facts: inout some FactsCoder) { use.code(with: &facts) }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let ended: Sentence = "The proxy of \(event.author) ended."
    return use.isEmpty ? ended : ended + " " + use.sentence
  }
}
