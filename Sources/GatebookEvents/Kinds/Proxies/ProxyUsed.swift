/// `proxy.used`: programs sent requests through a proxy, which serves on.
///
/// It is recorded a minute after a program's first request, and otherwise at most once an hour:
/// a proxy that is killed leaves who has used it, and loses no more than an hour's counts.
package struct ProxyUsed: EventFacts {
  package static let kind = EventKind.proxyUsed

  /// What was not recorded before.
  package var use: ProxyUse

  package init(_ use: ProxyUse) {
    self.use = use
  }

  package static var blank: Self { Self(ProxyUse()) }

  package mutating func code(with facts: inout some FactsCoder) { use.code(with: &facts) }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "Programs used the proxy of \(event.author). " + use.sentence
  }
}
