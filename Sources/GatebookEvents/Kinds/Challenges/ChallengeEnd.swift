/// What an event says of how a challenge ended; never the answer.
package struct ChallengeEnd: FactsRecord, Hashable, Sendable {
  /// How many redirects of no login came after the recorded ones.
  package var dropped: Int64?
  /// The names of what was answered.
  package var fields: [String]?
  /// What distinguishes the redirect of a page from others.
  package var fingerprint: String?
  /// The fingerprint of a name in the answer.
  package var name: String?
  /// How many attempts remain.
  package var remaining: Int64?

  package init() {}
}

extension ChallengeEnd {
  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("dropped", &dropped)
    facts.code("fields", &fields)
    facts.code("fingerprint", &fingerprint)
    facts.code("name", &name)
    facts.code("remaining", &remaining)
  }
}
