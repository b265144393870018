/// `session.uncertain`: nobody knows whether the server renewed the session.
package struct SessionUncertain: EventFacts {
  package static let kind = EventKind.sessionUncertain

  /// How often the credential was sent without an answer.
  package var attempt: Int64?
  /// The generation that the renewal was to bring.
  package var generation: Int64
  /// What went wrong.
  package var failure = Failure()

  package init(generation: Int64) {
    self.generation = generation
  }

  package static var blank: Self { Self(generation: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("attempt", &attempt)
    facts.code("code", &failure.code)
    facts.code("generation", &generation)
    facts.code("status", &failure.status)
    guard facts.hasDetails else { return }
    facts.code("error", &failure.error)
    facts.code("fault", &failure.fault)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    guard failure.code != nil else {
      return attempt == nil
        ? "The connection was lost: it is not known whether the server still accepts the session."
        : "That process ended without recording an answer. If the request reached the server, the refresh "
          + "token may already be used."
    }
    let words = failure.words(of: Self.kind)
    let isAnswered =
      failure.status != nil || [.contentUnexpected, .limitExceeded].contains(failure.code)
    if isAnswered {
      return "The answer could not be used (\(words)): the refresh token may already be used."
    }
    return failure.fault?.isOfAnswer == true
      ? "No answer came (\(words)): the refresh token may already be used."
      : "No answer came (\(words)). If the request reached the server, the refresh token may already be used."
  }
}
