/// `credential.accepted`: a program reported that the server accepted the account's credential.
package struct CredentialAccepted: EventFacts {
  package static let kind = EventKind.credentialAccepted

  /// The program that got the credential, such as `git`.
  package var program: String

  package init(program: String) {
    self.program = program
  }

  package static var blank: Self { Self(program: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("program", &program)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(program.orUnknown) reported that the server accepted the account's credential."
  }
}
