/// `discovery.changed`: a server has moved its endpoints.
package struct DiscoveryChanged: EventFacts {
  package static let kind = EventKind.discoveryChanged

  /// Their names in the metadata.
  package var endpoints: [String]

  package init(endpoints: [String]) {
    self.endpoints = endpoints
  }

  package static var blank: Self { Self(endpoints: []) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("endpoints", &endpoints)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The server had changed some of its endpoint URLs."
  }
}
