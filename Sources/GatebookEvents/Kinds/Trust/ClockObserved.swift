/// `clock.observed`: the server's clock is off, or the own clock has jumped.
package struct ClockObserved: EventFacts {
  package static let kind = EventKind.clockObserved

  /// The jump of the own wall clock against the boot clock.
  package var jump: Duration?
  /// The server's clock minus the own clock.
  package var offset: Duration?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("jump", &jump)
    facts.code("offset", &offset)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    if let jump {
      return
        "This machine's clock had jumped by \(jump.size.words) \(jump < .zero ? "back" : "forward")."
    }
    guard let offset, offset != .zero else {
      return "The server's clock agreed with this machine's again."
    }
    return
      "The server's clock was \(offset.size.words) \(offset < .zero ? "behind" : "ahead of") this machine's."
  }
}

extension RecordedEvent {
  /// Whether it tells that this machine's clock had been wrong by a day or more, or is.
  package var tellsOfWrongClock: Bool {
    guard let clocks = facts(of: ClockObserved.self) else { return false }
    return (clocks.jump ?? clocks.offset ?? .zero).microseconds.magnitude >= 86_400_000_000
  }
}
