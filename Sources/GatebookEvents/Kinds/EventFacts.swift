/// What an event of one kind says: the facts that are neither secret nor personal.
///
/// It is for proposing events and for reading them. What prints, exports, copies or verifies an
/// event uses the stored text: facts that this version does not know are not in it.
package protocol EventFacts: FactsRecord, Hashable, Sendable {
  /// The kind.
  static var kind: EventKind { get }

  /// What happened, in plain words.
  ///
  /// - Parameter event: The event that says it.
  /// - Returns: One or more sentences.
  func sentence(_ event: RecordedEvent) -> Sentence
}

extension ProposedEvent {
  /// Makes an event of its facts.
  package init(
    _ facts: some EventFacts, account: AccountID? = nil, session: SessionID? = nil,
    cause: Cause = .none, personal: Facts? = nil
  ) {
    self.init(
      type(of: facts).kind, account: account, session: session, cause: cause, data: facts.facts,
      personal: personal)
  }

  /// Changes what an event of a kind says; nothing for one of another kind.
  package mutating func change<Kind: EventFacts>(
    _ kind: Kind.Type, _ change: (inout Kind) -> Void
  ) {
    guard self.kind == Kind.kind else { return }
    var facts = Kind(data)
    change(&facts)
    data = facts.facts
  }
}

extension RecordedEvent {
  /// What an event of a kind says; `nil` for one of another kind.
  package func facts<Kind: EventFacts>(of kind: Kind.Type) -> Kind? {
    isKind(Kind.kind) ? Kind(data) : nil
  }
}

extension EventFacts {
  /// Reads what the folds need.
  init(_ entry: LogEntry) { self = entry.data.fold() }
}

/// The wait before the next attempt, as an event says it.
package struct Wait: Hashable, Sendable {
  /// The time until the next attempt; `nil`: there is none.
  package var retryAfter: Duration?
  /// The part of it that the server demanded.
  package var demanded: Duration?

  package init() {}
}

/// What waits for a server, as an event says it.
package struct Delivery: Hashable, Sendable {
  /// The name under which messages to the server are kept encrypted; `nil` for none.
  package var outbox: String?
}

extension Delivery: FactsRecord {
  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("outbox", &outbox)
  }
}
