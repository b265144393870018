/// `visit.refused`: a login page on this machine showed nothing to a visitor.
///
/// Any program on the machine can make such visits, so some events tell of several.
package struct VisitRefused: EventFacts {
  package static let kind = EventKind.visitRefused

  /// Why a page shows nothing to a visitor.
  ///
  /// The names are in events and never change.
  package enum Reason: String, CaseIterable, Storable, Sendable {
    /// The address of the page was opened before.
    case spent
    /// The path is right, but the browser is not the one that opened the page.
    case cookie
    /// The path is wrong: the visitor knows the port and not the address.
    case path
    /// The field Host names another host, as after DNS rebinding.
    case host
    /// Another site sent the form.
    case origin
    /// The visitor is a program of another user of this machine.
    case user
    /// The request is not valid HTTP.
    case malformed
  }

  /// How many such visits it tells of: more than 1 where they were not recorded one by one.
  package var count: Int64
  /// Why; `nil` for a reason that only a newer version knows.
  package var reason: Reason?

  package init(_ reason: Reason?, count: Int64 = 1) {
    self.count = count
    self.reason = reason
  }

  package static var blank: Self { Self(nil) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("count", &count, unless: 1)
    facts.code("reason", &reason)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    count == 1
      ? "\(words(event.author))" : "\(words(event.author)) There were \(count) such visits."
  }

  private func words(_ author: String) -> String {
    switch reason {
    case .spent:
      "A visitor opened the login page of \(author) by an address that was opened before. "
        + "The visitor saw neither the form nor any name."
    case .cookie:
      "Another browser visited the login page of \(author). It saw neither the form nor any name."
    case .path:
      "A program visited the login page of \(author) without its address. It saw nothing."
    case .host:
      "A request to the login page of \(author) named another host, as after DNS rebinding. "
        + "Gatebook ignored it."
    case .origin:
      "Another site sent a form to the login page of \(author). Gatebook ignored it."
    case .user:
      "A program of another user visited the login page of \(author). It saw nothing."
    case .malformed:
      "A program sent a request to the login page of \(author) that was not valid HTTP. "
        + "Gatebook ignored it."
    case nil:
      "The login page of \(author) refused a visitor. The visitor saw nothing."
    }
  }
}
