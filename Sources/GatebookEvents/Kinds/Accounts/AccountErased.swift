/// `account.erased`: the account's key was destroyed.
///
/// Its session is that of the `logout.requested` before it, if that ended one.
package struct AccountErased: EventFacts {
  package static let kind = EventKind.accountErased

  /// How many secrets were destroyed.
  package var secrets: Int64
  /// How many messages to servers were still waiting.
  package var untold: Int64

  package init(secrets: Int64, untold: Int64) {
    self.secrets = secrets
    self.untold = untold
  }

  package static var blank: Self { Self(secrets: 0, untold: 0) }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("secrets", &secrets)
    facts.code("untold", &untold)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let untold =
      switch untold {
      case 0: ""
      case 1: " One message to its server was never sent."
      case let count: " \(count) messages to its servers were never sent."
      }
    return
      "\(event.author) erased the account: its key was destroyed, so its personal data and its secrets are "
      + "gone. The log keeps what happened.\(untold)"
  }
}
