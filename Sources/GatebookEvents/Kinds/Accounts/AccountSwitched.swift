/// `account.switched`: another account is the current one.
package struct AccountSwitched: EventFacts {
  package static let kind = EventKind.accountSwitched

  /// The former one.
  package var from: AccountID?
  /// The present one; `nil`: none, and the event is in the book's own stream.
  package var to: AccountID?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("from", &from)
    facts.code("to", &to)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    guard to != nil else { return "No account is the current one." }
    let former = from.map { ", instead of \($0.description.prefix(8))" } ?? ""
    return "\(event.author) made the account the current one\(former)."
  }
}
