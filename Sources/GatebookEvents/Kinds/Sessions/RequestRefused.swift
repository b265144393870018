/// `request.refused`: the server refused a request of the session, which stayed valid.
package struct RequestRefused: EventFacts {
  package static let kind = EventKind.requestRefused

  /// 400, 401 or 403.
  package var status: Int64?
  /// Whether no server can be asked if the session is valid.
  package var isUnprovable: Bool = false

  package init(status: Int64?) {
    self.status = status
  }

  package static var blank: Self { Self(status: nil) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("status", &status)
    facts.code("unprovable", &isUnprovable, unless: false)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    status == 400
      ? "The server answered 400 to a request of \(event.author). It did not refuse the session."
      : "The server refused a request of \(event.author)\(event.failure.said). It did not refuse the session."
  }
}
