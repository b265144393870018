/// `logout.completed`: what the server was told of the end is settled, or will be tried again.
package struct LogoutCompleted: EventFacts {
  package static let kind = EventKind.logoutCompleted

  /// The security check, of one that named no user.
  package var check: String?
  /// The flow of that check.
  package var flow: FlowID?
  /// The name under which messages to the server are sealed.
  package var outbox: String?
  /// `done`, `queued`, `none`, `givenUp`, `unread`, or `failed` of a security check.
  package var server: String
  /// How long it waits.
  package var wait = Wait()
  /// What went wrong.
  package var failure = Failure()

  package init(server: String) {
    self.server = server
  }
}

extension LogoutCompleted {
  package static var blank: Self { Self(server: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("check", &check)
    facts.code("code", &failure.code)
    facts.code("demandedWait", &wait.demanded)
    facts.code("flow", &flow)
    facts.code("outbox", &outbox)
    facts.code("retryAfter", &wait.retryAfter)
    facts.code("server", &server)
    facts.code("status", &failure.status)
    guard facts.hasDetails else { return }
    facts.code("error", &failure.error)
    facts.code("fault", &failure.fault)
  }
}
