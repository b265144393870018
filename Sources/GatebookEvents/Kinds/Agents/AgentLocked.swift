/// `agent.locked`: an agent closed the book and forgot its key, because a person wanted it.
package struct AgentLocked: EventFacts {
  package static let kind = EventKind.agentLocked

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {}

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The agent of \(event.author) was locked: it closed the book and forgot the key."
  }
}
