/// `credential.rejected`: a program reported that the server rejected the account's credential, or
/// asked Gatebook to forget it.
package struct CredentialRejected: EventFacts {
  package static let kind = EventKind.credentialRejected

  /// Whether the session has another credential, as after a renewal: then the server is not asked.
  package var isFormer = false
  /// Whether the program asked Gatebook to forget the credential, and reported nothing of a server.
  package var isRemoval = false
  /// The program that got the credential, such as `git`.
  package var program: String

  package init(program: String) {
    self.program = program
  }

  package static var blank: Self { Self(program: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("former", &isFormer, unless: false)
    facts.code("program", &program)
    facts.code("removal", &isRemoval, unless: false)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let reporter = program.orUnknown
    guard !isRemoval else {
      return "\(reporter) asked Gatebook to forget the account's credential."
    }
    return isFormer
      ? "\(reporter) reported that the server rejected a credential that is not the account's current one."
      : "\(reporter) reported that the server rejected the account's credential."
  }
}
