/// `agent.started`: a process keeps the book open, and answers other programs with it.
package struct AgentStarted: EventFacts {
  package static let kind = EventKind.agentStarted

  /// Whether a person is asked before a program uses it for the first time.
  package var confirms: Bool = false

  package init(confirms: Bool = false) {
    self.confirms = confirms
  }

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("confirms", &confirms, unless: false)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let asks = confirms ? " It asked before the first use by each program." : ""
    return "\(event.author) started an agent: it kept the book open for other programs.\(asks)"
  }
}
