/// `check.succeeded`: a security check of MobileFirst was passed.
package struct CheckSucceeded: EventFacts {
  package static let kind = EventKind.checkSucceeded

  /// The security check.
  package var check: String?
  /// The flow.
  package var flow: FlowID
  /// Whether no answer was needed.
  package var isRemembered: Bool

  package init(flow: FlowID, isRemembered: Bool) {
    self.flow = flow
    self.isRemembered = isRemembered
  }

  package static var blank: Self { Self(flow: FlowID(high: 0, low: 0), isRemembered: false) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("check", &check)
    facts.code("flow", &flow)
    facts.code("remembered", &isRemembered)
  }

  /// Who passed it.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The user's name.
    package var user: String?
    /// The server's id of the user.
    package var userID: String?

    package init(user: String? = nil, userID: String? = nil) {
      self.user = user
      self.userID = userID
    }

    package static var blank: Self { Self() }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("user", &user)
      facts.code("userID", &userID)
    }
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let name = check.map { " “\($0)”" } ?? ""
    return isRemembered
      ? "The server's security check\(name) was passed, because the server remembered the user."
      : "The server's security check\(name) was passed."
  }
}
