/// `agent.unlocked`: an agent opened the book again.
package struct AgentUnlocked: EventFacts {
  package static let kind = EventKind.agentUnlocked

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {}

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The agent of \(event.author) was unlocked: it opened the book again."
  }
}
