/// `agent.refused`: an agent did nothing for a program.
///
/// The same refusal of the same program is recorded at most once an hour, so that no program can
/// fill the book.
package struct AgentRefused: EventFacts {
  package static let kind = EventKind.agentRefused

  /// The number of the program's process; `nil` where the system does not tell it.
  package var process: Int64?
  /// The name of the program; `nil` where it is unknown, or no plain name.
  package var program: String?
  /// Why: `confirm` where nobody allowed it, `peer` for another user.
  package var reason: String

  package init(reason: String) {
    self.reason = reason
  }

  package static var blank: Self { Self(reason: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("process", &process)
    facts.code("program", &program)
    facts.code("reason", &reason)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let name = program ?? "a program"
    let asker = process.map { "\(name) (process \($0))" } ?? name
    let why = Self.words[reason] ?? "it was not allowed"
    return "The agent of \(event.author) refused a request of \(asker): \(why)."
  }

  private static let words = [
    "confirm": "nobody allowed it", "peer": "it came from another user",
  ]
}
