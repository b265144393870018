/// `account.switched`: another account is the current one.
package struct AccountSwitched: EventFacts {
  package static let kind = EventKind.accountSwitched

  /// The former one.
  package var from: AccountID?
  /// The present one; `nil`: none, and the event is in the book's own stream.
  package var to: AccountID?

  package init() {}
}

extension AccountSwitched {
  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("from", &from)
    facts.code("to", &to)
  }
}
